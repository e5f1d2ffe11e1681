internal import Varlink

/// The sockets of connections that have ended, of which the clients have not read all that they were sent.
///
/// The kernel keeps what is not read, as memory of this process, and does not free it when the socket is closed. So each
/// stays open here, as one of its user's connections, until the client has read everything or is gone: nobody can have
/// more such memory kept than `limits.connections` allow. Belongs to the daemon's loop.
final class UnreadSockets {
  /// How soon after a socket has come it is looked at, and how often at most and at least.
  ///
  /// Nearly every client reads at once what it was sent: its end is told in the same moment.
  private static let soonest = Duration.milliseconds(10)
  private static let latest = Duration.seconds(1)

  private let loop: EpollLoop
  private var sockets: [AcceptedSocket] = []
  /// Runs while there are sockets, for `delay`.
  private var timer: EpollLoop.Timer?
  private var delay = UnreadSockets.soonest
  /// Called when the last socket is closed.
  var onEmpty: () -> Void = {}

  init(on loop: EpollLoop) { self.loop = loop }

  var isEmpty: Bool { sockets.isEmpty }

  /// Keeps a socket open until nothing of what was sent is unread.
  func keep(_ socket: AcceptedSocket) {
    sockets.append(socket)
    // Where it is looked at soon anyway, further sockets do not put that off.
    guard timer == nil || delay > UnreadSockets.soonest else { return }
    timer?.cancel()
    schedule(after: UnreadSockets.soonest)
  }

  private func schedule(after delay: Duration) {
    self.delay = delay
    timer = loop.schedule(after: delay) { [unowned self] in
      timer = nil
      sockets.removeAll { !$0.hasUnread }
      if sockets.isEmpty { return onEmpty() }
      schedule(after: min(delay * 2, UnreadSockets.latest))
    }
  }
}
