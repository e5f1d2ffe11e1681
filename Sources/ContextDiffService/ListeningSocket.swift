internal import CLinux
internal import Glibc
internal import Varlink

/// A Unix socket that this process made itself, where no service manager handed it one.
package struct ListeningSocket {
  /// Where its file is.
  package let path: String
  /// The listening descriptor, close-on-exec.
  package let descriptor: Int32
  /// Which file it made: another daemon may have put its own there since.
  private let file: FileIdentity?
  /// Whether its folder was made for it: else who may enter is not its to say.
  private let ownsFolder: Bool

  /// Where a user's own daemon listens: `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`; `nil` where
  /// that variable is not set.
  package static func defaultPath(environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.utf8.isEmpty else { return nil }
    return "\(folder)/contextdiff/io.contextdiff"
  }

  /// Listens at each path, or at none.
  ///
  /// - Parameters:
  ///   - paths: Where.
  ///   - groupID: The group that may connect too; `nil` for the user alone.
  /// - Returns: The sockets, in order.
  /// - Throws: What cannot be done, in one line.
  package static func listen(
    at paths: [String], groupID: UInt32? = nil
  ) throws(SocketError) -> [ListeningSocket] {
    var sockets: [ListeningSocket] = []
    do throws(SocketError) {
      for path in paths { sockets.append(try ListeningSocket(path: path, groupID: groupID)) }
    } catch {
      for socket in sockets { socket.close() }
      throw error
    }
    return sockets
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
    try self.init(path: path, groupID: groupID, ownsFolder: false)
  }

  private init(path: String, groupID: UInt32?, ownsFolder: Bool) throws(SocketError) {
    guard !path.utf8.isEmpty else {
      throw SocketError(description: "the path of a socket to listen on is empty")
    }
    let folder = ListeningSocket.folder(of: path)
    // Unsafe: C reads the path before it returns.
    let isNew = unsafe mkdir(folder, 0o700) == 0
    guard isNew || errno == EEXIST else { throw SocketError(folder, "cannot be made", errno) }
    // Two daemons that start at once must not both find the other's socket dead.
    let lock = try StartLock(path)
    defer { lock.release() }
    try ListeningSocket.clear(path)
    do throws(VarlinkSocketError) {
      descriptor = try UnixSocket.listen(at: path, mode: 0o600)
    } catch {
      throw SocketError(path, error)
    }
    self.path = path
    self.ownsFolder = ownsFolder || isNew
    file = FileIdentity(path: path)
    do throws(SocketError) {
      if let groupID { try admit(groupID) }
    } catch {
      close()
      throw error
    }
  }

  /// Listens at the same path anew, where this one's file is gone.
  ///
  /// - Parameter groupID: The group that may connect too; `nil` for the user alone.
  /// - Returns: Another socket; this one stays as it is.
  /// - Throws: What cannot be done, in one line.
  package func renewed(groupID: UInt32?) throws(SocketError) -> ListeningSocket {
    try ListeningSocket(path: path, groupID: groupID, ownsFolder: ownsFolder)
  }

  /// Lets a group connect, or none: the socket's file is given to it, and its folder where that was
  /// made for the socket.
  ///
  /// - Parameter groupID: The group; `nil` for the user alone.
  /// - Throws: What cannot be done, in one line.
  package func admit(_ groupID: UInt32?) throws(SocketError) {
    if ownsFolder { try give(folder, to: groupID, mode: groupID == nil ? 0o700 : 0o710) }
    try give(path, to: groupID, mode: groupID == nil ? 0o600 : 0o660)
  }

  private func give(_ file: String, to groupID: UInt32?, mode: UInt32) throws(SocketError) {
    // Unsafe: C reads the path before it returns.
    guard unsafe clinux_give_to_group(file, groupID ?? getegid(), mode) == 0 else {
      throw SocketError(file, "cannot be given to its group", errno)
    }
  }

  /// Listens no more, and takes the file away.
  package func close() {
    removeFile()
    Glibc.close(descriptor)
  }

  /// The path from the root, by which all paths of one socket are the same, also before it is made.
  package static func place(of path: String) -> String {
    let folder = folder(of: path)
    let name = path.split(separator: "/").last ?? ""
    // Unsafe: the C library's own text, copied and freed at once.
    if let resolved = unsafe realpath(folder, nil) {
      defer { unsafe free(resolved) }
      return unsafe "\(String(cString: resolved))/\(name)"
    }
    // Its folder may be made with it.
    return folder.utf8.count < path.utf8.count ? "\(place(of: folder))/\(name)" : path
  }

  /// The folder of the socket's file.
  package var folder: String { ListeningSocket.folder(of: path) }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether the socket's file is there, and is this one's.
  package var isInPlace: Bool { file != nil && FileIdentity(path: path) == file }

  /// Takes the socket's file away, where it is still this one's: nobody else is to find it dead.
  package func removeFile() {
    guard let file, FileIdentity(path: path) == file else { return }
    // Unsafe: C reads each path before it returns.
    unsafe unlink(path)
    // Left behind, it would not be the next daemon's own, which then could not open it to a group. Stays
    // where it holds anything else.
    if ownsFolder { unsafe rmdir(folder) }
  }

  private static func clear(_ path: String) throws(SocketError) {
    var status = stat()
    // Unsafe: C reads the path and fills the status before each call returns.
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw SocketError(path, "cannot be looked at", errno)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SocketError(path, "is not a socket, and is left alone", nil)
    }
    let isAnswered: Bool
    do throws(VarlinkSocketError) {
      isAnswered = try UnixSocket.isAnswered(at: path)
    } catch {
      throw SocketError(path, error)
    }
    if isAnswered { throw SocketError(path, "is answered on by another process already", nil) }
    // Unsafe: C reads the path before it returns.
    guard unsafe unlink(path) == 0 else { throw SocketError(path, "cannot be replaced", errno) }
  }
}
