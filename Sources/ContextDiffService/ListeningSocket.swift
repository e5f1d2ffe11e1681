internal import Glibc

/// A Unix socket that this process made itself, where no service manager handed it one.
package struct ListeningSocket {
  /// Where its file is.
  package let path: String
  /// The listening descriptor, close-on-exec.
  package let descriptor: Int32

  /// Where a user's own daemon listens: `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`; `nil` where
  /// that variable is not set.
  package static func defaultPath(environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.utf8.isEmpty else { return nil }
    return "\(folder)/contextdiff/io.contextdiff"
  }

  /// Listens at `path`.
  ///
  /// Makes its folder, for this user alone, where there is none. Replaces a socket that nobody
  /// answers on, and nothing else.
  ///
  /// - Parameters:
  ///   - path: Where; 107 bytes at most.
  ///   - groupID: The group that may connect too; `nil` for the user alone.
  /// - Throws: What cannot be done, in one line.
  package init(path: String, groupID: UInt32? = nil) throws(SocketError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if mkdir(folder, groupID == nil ? 0o700 : 0o710) == 0 {
      if let groupID { chown(folder, .max, groupID) }
    } else if errno != EEXIST {
      throw SocketError(folder, "cannot be made", errno)
    }
    // Two daemons that start at once must not both find the other's socket dead: the folder is
    // locked until this one listens.
    let lock = open(folder.utf8.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw SocketError(folder, "cannot be opened", errno) }
    defer { close(lock) }
    flock(lock, LOCK_EX)

    try ListeningSocket.clear(path)
    let descriptor = try ListeningSocket.unixSocket()
    do throws(SocketError) {
      // The mode is set before anybody can connect: by the mask that bind(2) obeys.
      let mask = umask(groupID == nil ? 0o177 : 0o117)
      let bound = ListeningSocket.withAddress(of: path) { bind(descriptor, $0, $1) }
      let failure = errno
      umask(mask)
      guard let bound else { throw SocketError(path, "is longer than a socket's path may be", nil) }
      guard bound == 0 else { throw SocketError(path, "cannot be bound", failure) }
      if let groupID, chown(path, .max, groupID) != 0 {
        throw SocketError(path, "cannot be given to its group", errno)
      }
      guard listen(descriptor, 4_096) == 0 else {
        throw SocketError(path, "cannot be listened on", errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  /// Takes the socket's file away: nobody else is to find it dead.
  package func removeFile() {
    unlink(path)
  }

  private static func clear(_ path: String) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw SocketError(path, "cannot be looked at", errno)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(path, "is not a socket, and is left alone", nil)
    }
    let probe = try unixSocket()
    defer { close(probe) }
    let connected = withAddress(of: path) { connect(probe, $0, $1) }
    if connected == 0 { throw SocketError(path, "somebody answers on it already", nil) }
    guard errno == ECONNREFUSED else { throw SocketError(path, "cannot be tried", errno) }
    guard unlink(path) == 0 else { throw SocketError(path, "cannot be replaced", errno) }
  }

  private static func unixSocket() throws(SocketError) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError("a socket", "cannot be made", errno) }
    return descriptor
  }

  /// `nil` where the path does not fit into an address (unix(7)).
  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { return nil }
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Why a socket cannot be listened on, in one line.
package struct SocketError: Error, CustomStringConvertible {
  /// The path, and what is wrong with it.
  package let description: String

  init(_ path: String, _ problem: String, _ code: Int32?) {
    let reason = code.map { ": " + String(cString: strerror($0)) } ?? ""
    description = "\(path) \(problem)\(reason)"
  }
}
