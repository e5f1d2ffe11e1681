internal import Glibc

/// A system call on a socket, or for a loop, has failed.
public struct VarlinkSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the system call.
  public let call: String
  /// The `errno` of the failure.
  public let systemError: CInt

  package init(_ call: String, _ systemError: CInt) {
    self.call = call
    self.systemError = systemError
  }

  /// The call and the system's words for the error: `bind: Permission denied`.
  public var description: String { "\(call): \(String(errno: systemError))" }
}

extension String {
  /// The C library's words for an `errno`: `Permission denied`.
  package init(errno: CInt) {
    // Unsafe: the C library's own text, copied at once.
    unsafe self.init(cString: strerror(errno))
  }
}
