internal import Systemd
internal import Varlink

/// A thread that a user's service is on, as the daemon's loop sees it.
final class UserLoop {
  /// How many clients it was handed.
  private(set) var served = 0
  private let submitter: EpollLoop.Submitter
  private let pulse: EpollLoop.Pulse
  /// Belongs to the thread: it is only handed to what is submitted there.
  private let onThread: OnThread
  /// The turn that was under way when that was looked at last.
  private var lastTurn: Int?

  /// What is used on the thread only.
  ///
  /// `@unchecked`: one thread at a time has it. It is made before the thread starts, and what is
  /// submitted is called there.
  private final class OnThread: @unchecked Sendable {
    let service: Service
    let loop: EpollLoop

    init(service: Service, loop: EpollLoop) {
      self.service = service
      self.loop = loop
    }
  }

  /// Starts a thread that serves a user until it is told to end.
  ///
  /// - Parameters:
  ///   - service: The user's; not to be used here any more.
  ///   - ended: Called on the thread at its very end, to hand the service back.
  /// - Throws: ``VarlinkSocketError`` or ``SystemdError``, where no descriptors or no thread can be
  ///   had; the service was not touched then.
  init(of service: Service, _ ended: @escaping @Sendable (Service) -> Void) throws {
    let loop = try EpollLoop()
    let onThread = OnThread(service: service, loop: loop)
    self.onThread = onThread
    submitter = try loop.makeSubmitter()
    pulse = loop.pulse
    try DetachedThread.start {
      onThread.service.begin(on: onThread.loop)
      onThread.loop.run()
      onThread.service.leaveLoop()
      ended(onThread.service)
    }
  }

  /// Has it serve a client.
  func serve(_ socket: AcceptedSocket) {
    served += 1
    submit { $0.service.serve(socket) }
  }

  /// Calls `body` on the thread, within a turn.
  func submit(_ body: @escaping @Sendable () -> Void) { submitter.submit(body) }

  func apply(_ settings: Settings, access: Access) {
    submit { $0.service.apply(settings, access: access) }
  }

  /// Has it give back what it holds beyond `limit` bytes.
  func shrink(to limit: Int) {
    submit { $0.service.shrink(to: limit) }
  }

  /// Has it end once what is due has been sent, or after `limit`.
  func stop(within limit: Duration) {
    submit { onThread in
      onThread.service.stop(within: limit) { onThread.loop.stop() }
    }
  }

  /// Has it end now that nobody is connected.
  func end() {
    submit { $0.loop.stop() }
  }

  /// Whether it sleeps, or has ended a turn since this was asked last.
  func getsOn() -> Bool {
    let turn = pulse.turn
    defer { lastTurn = turn }
    return turn == nil || turn != lastTurn
  }

  private func submit(_ body: @escaping @Sendable (OnThread) -> Void) {
    let onThread = onThread
    submitter.submit { body(onThread) }
  }
}
