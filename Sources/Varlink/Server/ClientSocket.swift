internal import CLinux
internal import Glibc

/// The server's end of a connection, watched by the loop.
final class ClientSocket {
  private let accepted: AcceptedSocket
  private let loop: EpollLoop
  /// The events that the loop waits for.
  private var watched = EpollLoop.Events.readable

  init(accepted: AcceptedSocket, loop: EpollLoop) {
    self.accepted = accepted
    self.loop = loop
  }

  /// Has the loop call `ready` with what the socket is ready for, until it is closed.
  func watch(_ ready: @escaping (EpollLoop.Events) -> Void) throws(VarlinkSocketError) {
    try loop.watch(accepted.descriptor, for: watched, ready)
  }

  /// Has the loop wait for `events` from now on; does nothing where the socket is closed.
  func watch(for events: EpollLoop.Events) {
    guard events != watched, accepted.descriptor >= 0 else { return }
    watched = events
    loop.change(accepted.descriptor, to: events)
  }

  /// Stops watching the socket, and closes it, unless the client has not read all that it was sent.
  ///
  /// - Parameter buffer: room for what nobody has read of the client's, which is wiped.
  /// - Returns: the socket, where it is still open, though no more for the client.
  func end(readingInto buffer: UnsafeMutableRawBufferPointer) -> AcceptedSocket? {
    guard accepted.hasUnread else {
      close()
      return nil
    }
    loop.unwatch(accepted.descriptor)
    // Unsafe: the buffer is filled, and wiped, no further than it goes.
    unsafe accepted.leaveOpen(readingInto: buffer)
    unsafe clinux_wipe(buffer.baseAddress, buffer.count)
    return accepted
  }

  /// Stops watching the socket, and closes it; does nothing where it is closed.
  func close() {
    loop.unwatch(accepted.descriptor)
    accepted.close()
  }

  /// Whether the client has sent something that `read` would read now.
  var hasUnreadBytes: Bool { UnixSocket.peek(accepted.descriptor) > 0 }

  enum Read {
    /// How many bytes have been read.
    case bytes(Int)
    /// No bytes have come yet.
    case nothing
    /// The client sends no more, or is gone.
    case end
  }

  /// Reads the bytes that have come, at most as many as `buffer` has room for; never waits.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
    // Unsafe: C fills no more than the buffer has room for.
    let count = unsafe recv(
      accepted.descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    if count > 0 { return .bytes(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  /// Sends as many of `bytes` as the kernel takes without waiting.
  ///
  /// Returns how many were sent; `nil` where the client cannot be sent anything any more.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    // Unsafe: C reads the bytes, as many as there are, before it returns.
    let sent = unsafe Glibc.send(accepted.descriptor, bytes.baseAddress, bytes.count, flags)
    if sent >= 0 { return sent }
    if errno == EAGAIN || errno == EINTR { return 0 }
    // Where a reply cannot be sent for want of memory, the client is not to wait for it.
    if errno != EPIPE, errno != ECONNRESET { shutdown(accepted.descriptor, CInt(SHUT_RDWR)) }
    return nil
  }
}
