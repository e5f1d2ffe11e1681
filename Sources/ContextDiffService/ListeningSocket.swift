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
      for socket in sockets {
        socket.removeFile()
        close(socket.descriptor)
      }
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
    guard !path.utf8.isEmpty else {
      throw SocketError(description: "the path of a socket to listen on is empty")
    }
    let folder = ListeningSocket.folder(of: path)
    let isNew = mkdir(folder, groupID == nil ? 0o700 : 0o710) == 0
    guard isNew || errno == EEXIST else { throw SocketError(folder, "cannot be made", errno) }
    // Two daemons that start at once must not both find the other's socket dead: the folder is
    // locked until this one listens.
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw SocketError(folder, "cannot be opened", errno) }
    defer { close(lock) }
    if isNew, let groupID { fchown(lock, .max, groupID) }
    flock(lock, LOCK_EX)

    try ListeningSocket.clear(path)
    let descriptor: Int32
    do throws(VarlinkSocketError) {
      descriptor = try UnixSocket.listen(at: path, mode: 0o600)
    } catch {
      throw SocketError(path, error)
    }
    if let groupID, clinux_give_to_group(path, groupID, 0o660) != 0 {
      let failure = errno
      close(descriptor)
      throw SocketError(path, "cannot be given to its group", failure)
    }
    self.path = path
    self.descriptor = descriptor
    file = FileIdentity(path: path)
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
    let isAnswered: Bool
    do throws(VarlinkSocketError) {
      isAnswered = try UnixSocket.isAnswered(at: path)
    } catch {
      throw SocketError(path, error)
    }
    if isAnswered { throw SocketError(path, "is answered on by another process already", nil) }
    guard unlink(path) == 0 else { throw SocketError(path, "cannot be replaced", errno) }
  }
}

/// Which file a path leads to at some time.
private struct FileIdentity: Equatable {
  let device: dev_t
  let inode: ino_t

  /// That of the file itself, be it a link; `nil` where there is none.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
  }
}

/// Why a socket cannot be listened on, in one line.
package struct SocketError: Error, CustomStringConvertible {
  /// The path, and what is wrong with it.
  package let description: String

  fileprivate init(description: String) {
    self.description = description
  }

  init(_ path: String, _ problem: String, _ code: Int32?) {
    let reason = code.map { ": " + String(cString: strerror($0)) } ?? ""
    description = "\(path) \(problem)\(reason)"
  }

  init(_ path: String, _ error: VarlinkSocketError) {
    if error.systemError == ENAMETOOLONG {
      self.init(path, "is longer than a socket's path may be", nil)
    } else {
      self.init(path, "cannot be listened on (\(error.call))", error.systemError)
    }
  }
}
