internal import CLinux
internal import Glibc
internal import Varlink

/// A Unix socket that this process made itself, where the service manager passed none.
package struct ListeningSocket {
  /// The path of the socket's file.
  package let path: String
  /// The listening descriptor, close-on-exec.
  package let descriptor: Int32
  /// The socket's file as it was made, since another daemon may have put its own at the path; `nil` where it was gone
  /// at once.
  private let file: FileIdentity?
  /// Whether this process made the folder for the socket, and so may change who enters it, and remove it.
  private let ownsFolder: Bool
  /// Whether the folder must be the user's own (`requireOwn`).
  private let needsOwnFolder: Bool

  /// Where a user's own daemon listens: `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`; `nil` where that variable is not
  /// set, or empty.
  package static func defaultPath(environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.utf8.isEmpty else { return nil }
    return "\(folder)/contextdiff/io.contextdiff"
  }

  /// Listens at each path; where this fails for one, at none.
  ///
  /// - Parameters:
  ///   - paths: The paths of the sockets.
  ///   - groupID: The group whose members may connect besides the user; `nil` for none.
  ///   - needsOwnFolder: Whether it is an error where a folder is not the user's own: a symbolic link, another user's,
  ///     or one that others may write to.
  /// - Returns: The sockets, in the order of the paths.
  /// - Throws: What cannot be done, in one line.
  package static func listen(
    at paths: [String], groupID: UInt32? = nil, needsOwnFolder: Bool = false
  ) throws(SocketError) -> [ListeningSocket] {
    var sockets: [ListeningSocket] = []
    do throws(SocketError) {
      for path in paths {
        sockets.append(
          try ListeningSocket(
            path: path, groupID: groupID, ownsFolder: false, needsOwnFolder: needsOwnFolder))
      }
    } catch {
      sockets.removeFiles()
      for socket in sockets { Glibc.close(socket.descriptor) }
      throw error
    }
    return sockets
  }

  /// Listens at `path`.
  ///
  /// Makes the folder, for this user alone, where there is none; not the folders above it. Replaces a socket on which
  /// nobody answers, and no other file.
  ///
  /// - Parameters:
  ///   - path: The socket's path, of at most 107 bytes.
  ///   - groupID: The group whose members may connect besides the user; `nil` for none.
  /// - Throws: What cannot be done, in one line.
  package init(path: String, groupID: UInt32? = nil) throws(SocketError) {
    try self.init(path: path, groupID: groupID, ownsFolder: false, needsOwnFolder: false)
  }

  private init(
    path: String, groupID: UInt32?, ownsFolder: Bool, needsOwnFolder: Bool
  ) throws(SocketError) {
    guard !path.utf8.isEmpty else {
      throw SocketError(description: "the path of a socket to listen on is empty")
    }
    let folder = ListeningSocket.folder(of: path)
    // Unsafe: C reads the path before it returns.
    let isNew = unsafe mkdir(folder, 0o700) == 0
    guard isNew || errno == EEXIST else { throw SocketError(folder, "cannot be made", errno) }
    var isListening = false
    // The next daemon would not own a folder that is left behind.
    // Unsafe: C reads the path before it returns.
    defer { if isNew, !isListening { unsafe rmdir(folder) } }
    // The umask may have left out even the user's own rights.
    // Unsafe: C reads the path before it returns.
    if isNew, unsafe chmod(folder, 0o700) != 0 {
      throw SocketError(folder, "cannot be given its mode", errno)
    }
    if needsOwnFolder { try ListeningSocket.requireOwn(folder) }
    // Of two daemons that start at the same time, neither may find the other's socket before that one listens, and
    // replace it.
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
    self.needsOwnFolder = needsOwnFolder
    file = FileIdentity(path: path)
    do throws(SocketError) {
      if let groupID { try admit(groupID) }
    } catch {
      close()
      throw error
    }
    isListening = true
  }

  /// Makes another socket at the same path, where this one's file is gone.
  ///
  /// - Parameter groupID: The group whose members may connect besides the user; `nil` for none.
  /// - Returns: The other socket; this one is left open.
  /// - Throws: What cannot be done, in one line.
  package func renewed(groupID: UInt32?) throws(SocketError) -> ListeningSocket {
    // Before the start lock is taken, for who watches the folder is told of that one's file.
    _ = try ListeningSocket.isDeserted(path)
    return try ListeningSocket(
      path: path, groupID: groupID, ownsFolder: ownsFolder, needsOwnFolder: needsOwnFolder)
  }

  /// Throws where others could put their own socket in the place of one in that folder.
  private static func requireOwn(_ folder: String) throws(SocketError) {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    guard unsafe lstat(folder, &status) == 0 else {
      throw SocketError(folder, "cannot be looked at", errno)
    }
    let problem: String? =
      switch status.st_mode & S_IFMT {
      case S_IFLNK: "is a symbolic link"
      case S_IFDIR where status.st_uid != geteuid(): "belongs to another user"
      case S_IFDIR where status.st_mode & 0o022 != 0: "may be written to by others"
      default: nil
      }
    if let problem {
      throw SocketError(folder, "\(problem): remove it, or name another place by --listen", nil)
    }
  }

  /// Lets the members of a group connect, and no other group's: gives it the socket's file, and the folder where that
  /// was made for the socket.
  ///
  /// - Parameter groupID: The group; `nil` for none.
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

  /// Removes the file, and closes the descriptor.
  package func close() {
    removeFile()
    Glibc.close(descriptor)
  }

  /// The absolute path of a socket, without symbolic links to its folder, so that two paths of one socket are equal.
  ///
  /// The socket and its folder need not be there yet.
  package static func place(of path: String) -> String {
    let folder = folder(of: path)
    let name = path.unicodeScalars.split(separator: "/").last.map(String.init) ?? ""
    // Unsafe: the C library's own text, copied and freed at once.
    if let resolved = unsafe realpath(folder, nil) {
      defer { unsafe free(resolved) }
      return unsafe "\(String(cString: resolved))/\(name)"
    }
    // The folder is made with the socket; the one above it may be there.
    return folder.utf8.count < path.utf8.count ? "\(place(of: folder))/\(name)" : path
  }

  /// The folder of the socket's file.
  package var folder: String { ListeningSocket.folder(of: path) }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether the file at the path is still the one that this socket made.
  package var isInPlace: Bool { file != nil && FileIdentity(path: path) == file }

  /// Removes the socket's file, if it is still the one that this socket made, so that no client finds a file that
  /// nobody answers on.
  package func removeFile() {
    guard isInPlace else { return }
    // Unsafe: C reads each path before it returns.
    unsafe unlink(path)
    // The next daemon would not have made a folder that is left behind, and so would not open it to a group. rmdir(2)
    // fails where anything else is in the folder.
    if ownsFolder { unsafe rmdir(folder) }
  }

  /// Removes a socket's file on which nobody answers; throws where another file, or a socket in use, is at the path.
  private static func clear(_ path: String) throws(SocketError) {
    guard try isDeserted(path) else { return }
    // Unsafe: C reads the path before it returns.
    guard unsafe unlink(path) == 0 else { throw SocketError(path, "cannot be replaced", errno) }
  }

  /// Whether a socket's file is at the path on which nobody answers; throws where another file, or a socket in use, is
  /// there.
  private static func isDeserted(_ path: String) throws(SocketError) -> Bool {
    var status = stat()
    // Unsafe: C reads the path and fills the status before each call returns.
    guard unsafe lstat(path, &status) == 0 else {
      // Its folder may be gone, too.
      if errno == ENOENT { return false }
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
    return true
  }
}

extension [ListeningSocket] {
  /// Removes the files of all.
  package func removeFiles() {
    // The folder of several is the first one's, and can be removed once it is empty.
    for socket in reversed() { socket.removeFile() }
  }
}
