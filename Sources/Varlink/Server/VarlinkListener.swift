internal import CLinux
internal import Glibc

/// Accepts clients on sockets that listen, and hands them on.
///
/// A client that is gone again, and has sent no whole call, is closed at once, so that many of these take little from the
/// clients behind them. Where the process has no descriptor or memory left for one more client, the listener tries
/// again every second, and clients wait meanwhile.
public final class VarlinkListener {
  /// Called with the error when clients cannot be accepted any more, and with `nil` when they can again.
  public var onTrouble: (VarlinkSocketError?) -> Void = { _ in }

  private let loop: EpollLoop
  private let accepted: (AcceptedSocket) -> Void
  private var sockets: [CInt] = []
  private var isInTrouble = false

  /// A listener without sockets.
  ///
  /// - Parameters:
  ///   - loop: the loop on whose thread the listener is used and calls back.
  ///   - accepted: gets each client, which is closed where `accepted` does not keep it.
  public init(on loop: EpollLoop, _ accepted: @escaping (AcceptedSocket) -> Void) {
    self.loop = loop
    self.accepted = accepted
  }

  deinit { for socket in sockets { close(socket) } }

  /// Listens at a path.
  ///
  /// - Parameters:
  ///   - path: the path of the socket's file, at most 107 bytes; its folder must exist, and the file must not.
  ///   - mode: the file's permissions, whatever the umask is.
  /// - Throws: ``VarlinkSocketError``.
  public func listen(at path: String, mode: UInt32) throws(VarlinkSocketError) {
    let descriptor = try UnixSocket.listen(at: path, mode: mode)
    do throws(VarlinkSocketError) { try listen(on: descriptor) } catch {
      // Unsafe: C reads the path before it returns.
      unsafe unlink(path)
      close(descriptor)
      throw error
    }
  }

  /// Accepts clients on a socket that listens already, such as one that systemd has passed.
  ///
  /// - Parameter descriptor: the socket's descriptor, which the listener closes when it stops.
  /// - Throws: ``VarlinkSocketError``; the caller keeps the descriptor then.
  public func listen(on descriptor: CInt) throws(VarlinkSocketError) {
    try UnixSocket.prepareToAccept(descriptor)
    try watch(descriptor)
    sockets.append(descriptor)
  }

  /// Accepts the clients that wait, then closes all sockets.
  ///
  /// The clients that wait are accepted because they may have sent a call already.
  ///
  /// - Parameter most: how many clients to accept from each socket; the others lose their connections.
  public func stop(most: Int) {
    for socket in sockets {
      accept(from: socket, most: most)
      loop.unwatch(socket)
      close(socket)
    }
    sockets = []
  }

  /// Closes a socket of this listener, and with it the connections that wait; does nothing for any other descriptor.
  public func stop(listeningOn socket: CInt) {
    guard let place = sockets.firstIndex(of: socket) else { return }
    sockets.remove(at: place)
    loop.unwatch(socket)
    close(socket)
  }

  /// Has the loop accept clients from a socket, in each turn in which some wait.
  private func watch(_ socket: CInt) throws(VarlinkSocketError) {
    // 64 in a turn, for the clients that are connected are not to wait until a crowd is accepted.
    try loop.watch(socket, for: .readable) { [unowned self] _ in accept(from: socket, most: 64) }
  }

  /// Accepts the clients that wait, at most `most`; pauses the socket where accepting fails.
  private func accept(from socket: CInt, most: Int) {
    for _ in 0..<most where sockets.contains(socket) {
      let descriptor = clinux_accept(socket)
      if descriptor >= 0 {
        if isInTrouble {
          isInTrouble = false
          onTrouble(nil)
        }
        guard !UnixSocket.isGone(descriptor), let peer = PeerCredentials(socket: descriptor)
        else {
          close(descriptor)
          continue
        }
        UnixSocket.boundSendBuffer(of: descriptor)
        accepted(AcceptedSocket(descriptor: descriptor, peer: peer))
      } else if errno != ECONNABORTED, errno != EINTR {
        if errno != EAGAIN { pause(socket, errno) }
        return
      }
    }
  }

  /// Stops watching a socket for a second, for each turn of the loop would fail to accept in the same way.
  private func pause(_ socket: CInt, _ systemError: CInt) {
    if !isInTrouble {
      isInTrouble = true
      onTrouble(VarlinkSocketError("accept4", systemError))
    }
    loop.unwatch(socket)
    resume(socket)
  }

  /// Watches a socket again in a second, unless it is closed by then; tries again where that fails.
  private func resume(_ socket: CInt) {
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self, sockets.contains(socket) else { return }
      do throws(VarlinkSocketError) { try watch(socket) } catch { resume(socket) }
    }
  }
}
