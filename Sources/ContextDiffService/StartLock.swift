internal import Glibc

/// A lock that a process holds while it makes a socket at a path: flock(2) of the file `<path>.lock`.
///
/// Only the daemon's own user can open the file, so no other user can hold the lock.
struct StartLock {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock for the socket at the path, without waiting, for this runs on the daemon's loop.
  ///
  /// - Parameter socket: The socket's path.
  /// - Throws: Where another process holds the lock, or the file cannot be made.
  init(_ socket: String) throws(SocketError) {
    path = socket + ".lock"
    while true {
      // Unsafe: C reads the path before it returns.
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw SocketError(path, "cannot be made", errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let failure = errno
        Glibc.close(descriptor)
        guard failure == EWOULDBLOCK else { throw SocketError(path, "cannot be locked", failure) }
        throw SocketError(socket, "is about to be listened on by another process", nil)
      }
      // The process that held the lock before may have removed the file since it was opened here.
      if FileIdentity(descriptor: descriptor) == FileIdentity(path: path) {
        self.descriptor = descriptor
        return
      }
      Glibc.close(descriptor)
    }
  }

  /// Removes the file, and so releases the lock.
  func release() {
    // Unsafe: C reads the path before it returns.
    unsafe unlink(path)
    Glibc.close(descriptor)
  }
}
