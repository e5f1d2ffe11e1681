internal import Glibc

/// What one process at a time has while it makes a socket at a path: a locked file beside it, which
/// nobody else can open, so that nobody else can hold the lock.
struct StartLock {
  private let path: String
  private let descriptor: Int32

  /// - Throws: Where another process has it. Nobody is waited for: the daemon's loop would wait, too.
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
      // Who had it before may have taken its file away meanwhile.
      if FileIdentity(descriptor: descriptor) == FileIdentity(path: path) {
        self.descriptor = descriptor
        return
      }
      Glibc.close(descriptor)
    }
  }

  func release() {
    unsafe unlink(path)
    Glibc.close(descriptor)
  }
}
