internal import Glibc

/// The server's end of a connection: its descriptor, and what the loop tells of it.
final class ClientSocket {
  private let accepted: AcceptedSocket
  private let loop: EpollLoop
  private var watched = EpollLoop.Events.readable

  init(accepted: AcceptedSocket, loop: EpollLoop) {
    self.accepted = accepted
    self.loop = loop
  }

  /// Has the loop tell what the socket is ready for, until it is closed.
  func watch(_ ready: @escaping (EpollLoop.Events) -> Void) throws(VarlinkSocketError) {
    try loop.watch(accepted.descriptor, for: watched, ready)
  }

  /// Has the loop tell of other events from now on.
  func watch(for events: EpollLoop.Events) {
    guard events != watched, accepted.descriptor >= 0 else { return }
    watched = events
    loop.change(accepted.descriptor, to: events)
  }

  func close() {
    loop.unwatch(accepted.descriptor)
    accepted.close()
  }

  /// The supplementary groups of the process that connected (`SO_PEERGROUPS`).
  var supplementaryGroups: [UInt32] { accepted.supplementaryGroups }

  /// Whether the client has sent something that has not been read yet.
  var hasUnreadBytes: Bool { UnixSocket.unreadByteCount(accepted.descriptor) > 0 }

  enum Read {
    /// So many bytes have come.
    case bytes(Int)
    /// There are none for now.
    case nothing
    /// The client has ended its side, or is gone.
    case end
  }

  /// Reads what has come, as far as `buffer` goes.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
    // Unsafe: C fills no more than the buffer has.
    let count = unsafe recv(
      accepted.descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    if count > 0 { return .bytes(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  /// Sends what the client takes at once; `nil` where nobody reads any more.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    // Unsafe: C reads the bytes, as many as there are, before it returns.
    let sent = unsafe Glibc.send(accepted.descriptor, bytes.baseAddress, bytes.count, flags)
    if sent >= 0 { return sent }
    if errno == EAGAIN || errno == EINTR { return 0 }
    // A client whose reply cannot be sent, for want of memory, is not to wait for it.
    if errno != EPIPE, errno != ECONNRESET { shutdown(accepted.descriptor, CInt(SHUT_RDWR)) }
    return nil
  }
}
