internal import CLinux
internal import Glibc

/// Accepts clients on sockets that listen, and hands them on.
///
/// Those that have gone again without a word are closed at once, so that many who come and go take
/// little from who waits behind them. Where the process has no descriptor or memory left for one more
/// client, those who wait keep waiting; it tries again every second.
public final class VarlinkListener {
  /// What keeps clients from being accepted, at first; `nil` once they are again.
  public var onTrouble: (VarlinkSocketError?) -> Void = { _ in }

  private let loop: EpollLoop
  private let accepted: (AcceptedSocket) -> Void
  private var sockets: [CInt] = []
  private var isInTrouble = false

  /// Accepts nobody yet.
  ///
  /// - Parameters:
  ///   - loop: where everything happens.
  ///   - accepted: gets each client, which is closed where nobody keeps it.
  public init(on loop: EpollLoop, _ accepted: @escaping (AcceptedSocket) -> Void) {
    self.loop = loop
    self.accepted = accepted
  }

  deinit { for socket in sockets { close(socket) } }

  /// Listens at a path, where nothing may be yet.
  ///
  /// - Parameters:
  ///   - path: of the socket, at most 107 bytes; its folder must be there.
  ///   - mode: the socket file's permissions, whatever the umask is.
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

  /// Accepts clients on a socket that listens already, as systemd hands them over.
  ///
  /// - Parameter descriptor: of the socket. The listener closes it when it stops.
  /// - Throws: ``VarlinkSocketError``; the descriptor stays the caller's then.
  public func listen(on descriptor: CInt) throws(VarlinkSocketError) {
    try UnixSocket.prepareToAccept(descriptor)
    try watch(descriptor)
    sockets.append(descriptor)
  }

  /// Accepts those who wait, and nobody any more.
  ///
  /// Who has connected may have sent a call already.
  ///
  /// - Parameter most: how many to accept from each socket.
  public func stop(most: Int) {
    for socket in sockets {
      accept(from: socket, most: most)
      loop.unwatch(socket)
      close(socket)
    }
    sockets = []
  }

  /// Accepts nobody from a socket any more, and closes it.
  public func stop(listeningOn socket: CInt) {
    guard let place = sockets.firstIndex(of: socket) else { return }
    sockets.remove(at: place)
    loop.unwatch(socket)
    close(socket)
  }

  private func watch(_ socket: CInt) throws(VarlinkSocketError) {
    // Not all, as those who are connected already are not to wait for a crowd.
    try loop.watch(socket, for: .readable) { [unowned self] _ in accept(from: socket, most: 64) }
  }

  private func accept(from socket: CInt, most: Int) {
    for _ in 0..<most where sockets.contains(socket) {
      let descriptor = clinux_accept(socket)
      if descriptor >= 0 {
        if isInTrouble {
          isInTrouble = false
          onTrouble(nil)
        }
        guard !UnixSocket.hasEnded(descriptor), let peer = PeerCredentials(socket: descriptor)
        else {
          close(descriptor)
          continue
        }
        accepted(AcceptedSocket(descriptor: descriptor, peer: peer))
      } else if errno != ECONNABORTED, errno != EINTR {
        if errno != EAGAIN { pause(socket, errno) }
        return
      }
    }
  }

  /// Lets a socket's clients wait for a second: each turn of the loop would find the same anew.
  private func pause(_ socket: CInt, _ systemError: CInt) {
    if !isInTrouble {
      isInTrouble = true
      onTrouble(VarlinkSocketError("accept4", systemError))
    }
    loop.unwatch(socket)
    resume(socket)
  }

  private func resume(_ socket: CInt) {
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self, sockets.contains(socket) else { return }
      do throws(VarlinkSocketError) { try watch(socket) } catch { resume(socket) }
    }
  }
}
