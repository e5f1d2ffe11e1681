internal import Systemd
internal import Varlink

/// A user's thread, with the loop that the user's service runs on; the daemon's loop has this object.
final class UserLoop {
  /// How many clients it was given to serve.
  private(set) var served = 0
  private let submitter: EpollLoop.Submitter
  private let pulse: EpollLoop.Pulse
  /// Used on the thread alone: only functions that are submitted there get it.
  private let onThread: OnThread
  /// The turn that was under way at the last `makesProgress`; `nil` where the loop slept.
  private var lastTurn: Int?

  /// The service and its loop, which are used on the thread only.
  ///
  /// `@unchecked`: one thread at a time uses it. It is made before the thread starts, and functions that are submitted
  /// are called on the thread.
  private final class OnThread: @unchecked Sendable {
    let service: Service
    let loop: EpollLoop

    init(service: Service, loop: EpollLoop) {
      self.service = service
      self.loop = loop
    }
  }

  /// Starts a thread that serves a user until `end` or `stop`.
  ///
  /// - Parameters:
  ///   - service: The user's service; the caller must not use it until `ended` gets it.
  ///   - ended: Called on the thread at its very end, to hand the service back.
  /// - Throws: ``VarlinkSocketError`` or ``SystemdError``, where there are no descriptors, or no thread can be started;
  ///   the service is unchanged then.
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

  /// Has the service serve a client.
  func serve(_ socket: AcceptedSocket) {
    served += 1
    submit { $0.service.serve(socket) }
  }

  /// Calls `body` on the thread, within a turn of its loop.
  func submit(_ body: @escaping @Sendable () -> Void) { submitter.submit(body) }

  func apply(_ settings: Settings, access: Access) {
    submit { $0.service.apply(settings, access: access) }
  }

  /// Has the service give back what its user holds beyond `limit` bytes.
  func shrink(to limit: Int) {
    submit { $0.service.shrink(to: limit) }
  }

  /// Has the thread end once subscribers have read what waits for them, or after `limit`.
  func stop(within limit: Duration) {
    submit { onThread in
      onThread.service.stop(within: limit) { onThread.loop.stop() }
    }
  }

  /// Has the thread end after the turn; for a user of whom nobody is connected.
  func end() {
    submit { $0.loop.stop() }
  }

  /// Whether the loop sleeps, or has ended a turn since the last call of this.
  func makesProgress() -> Bool {
    let turn = pulse.turn
    defer { lastTurn = turn }
    return turn == nil || turn != lastTurn
  }

  private func submit(_ body: @escaping @Sendable (OnThread) -> Void) {
    let onThread = onThread
    submitter.submit { body(onThread) }
  }
}
