internal import Glibc
internal import Varlink

/// Why a socket cannot be listened on, in one line.
package struct SocketError: Error, CustomStringConvertible {
  /// The path, and what is wrong with it.
  package let description: String

  init(description: String) {
    self.description = description
  }

  /// `code` is the `errno` that says why; `nil` where there is none.
  init(_ path: String, _ problem: String, _ code: Int32?) {
    let reason = code.map { ": " + String(errno: $0) } ?? ""
    description = "\(path) \(problem)\(reason)"
  }

  init(_ path: String, _ error: VarlinkSocketError) {
    if error.systemError == ENAMETOOLONG {
      self.init(path, "is longer than the 107 bytes that a socket's path may have", nil)
    } else {
      self.init(path, "cannot be listened on (\(error.call))", error.systemError)
    }
  }
}
