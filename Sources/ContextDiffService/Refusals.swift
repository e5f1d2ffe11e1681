internal import Synchronization
internal import Systemd
internal import Varlink

/// Closes the clients that the daemon's loop turns away, and bounds the log entries about them, and about users who are
/// forgotten for others.
///
/// Belongs to the daemon's loop.
final class Refusals {
  /// How many clients of all users at most wait to be closed by other threads.
  ///
  /// Their descriptors come from `spareDescriptors`, so that accepted clients never lack any.
  private static let mostClosing = 256

  private let loop: EpollLoop
  private let shared: Shared
  private var refused = ClientEntries(entriesPerSecond: ClientEntries.refusedPerSecond)
  /// When a refused connection of a user was logged last, in monotonic microseconds; what is older than a second goes.
  private var refusedUsers: [UInt32: Int] = [:]
  /// Has a bound of its own, so that no user's refused connections hide that another is forgotten.
  private var forgotten = ClientEntries(entriesPerSecond: ClientEntries.forgottenPerSecond)
  /// Runs while left-out entries are to be logged.
  private var leftOut: EpollLoop.Timer?
  /// How many clients wait to be closed by other threads.
  private let closing = Closing()

  private final class Closing: Sendable {
    let count = Atomic<Int>(0)
  }

  init(on loop: EpollLoop, _ shared: Shared) {
    self.loop = loop
    self.shared = shared
  }

  /// Closes a client before anything of it is read, and logs why.
  ///
  /// Closing one that has sent bytes may take a while, because the kernel then frees them, or waits for a socket that
  /// was sent along (`Interrupter`). Such a client is closed by its user's thread (`running`) where there is one and
  /// the kernel refuses such sockets, else by a thread of its own; for this thread every client waits. Beyond
  /// `mostClosing` or `spareDescriptors`, this thread closes it all the same.
  func refuse(
    _ socket: AcceptedSocket, because reason: String, closingOn running: UserLoop?,
    spareDescriptors: Int
  ) {
    if socket.endReading(),
      closing.count.load(ordering: .relaxed) < min(Refusals.mostClosing, spareDescriptors)
    {
      close(socket, on: running)
    } else {
      socket.close()
    }
    log(socket.peer, because: reason)
  }

  /// Closes a client on another thread, or on this one where no thread can be started.
  private func close(_ socket: AcceptedSocket, on running: UserLoop?) {
    let closing = closing
    closing.count.add(1, ordering: .relaxed)
    let close: @Sendable () -> Void = {
      socket.closeAside()
      closing.count.subtract(1, ordering: .relaxed)
    }
    if UnixSocket.canRefuseDescriptors, let running { return running.submit(close) }
    do { try DetachedThread.start(close) } catch { close() }
  }

  /// Logs that a connection is refused, unless one of the same user was within a second, or too many were.
  private func log(_ peer: PeerCredentials, because reason: String) {
    let now = shared.clock.monotonic()
    if let last = refusedUsers[peer.userID], now - last < 1_000_000 {
      refused.leaveOut()
      return scheduleLeftOut()
    }
    guard refused.admit(now: now) else { return scheduleLeftOut() }
    refusedUsers = refusedUsers.filter { now - $0.value < 1_000_000 }
    refusedUsers[peer.userID] = now
    shared.journal.connectionRefused(peer, because: reason)
  }

  /// Logs that what is kept of a user is forgotten for another, unless too many are within a second.
  ///
  /// `limit` is `limits.users` where that is reached; `nil` where there was no descriptor left.
  func userForgotten(_ userID: UInt32, limit: Int?) {
    guard forgotten.admit(now: shared.clock.monotonic()) else { return scheduleLeftOut() }
    shared.journal.userForgotten(userID, limit: limit)
  }

  /// Has it logged within a second how many entries were left out.
  private func scheduleLeftOut() {
    guard leftOut == nil else { return }
    leftOut = loop.schedule(after: .seconds(1)) { [unowned self] in
      leftOut = nil
      tellLeftOut()
    }
  }

  /// Logs how many entries were left out.
  func tellLeftOut() {
    if let leftOut = refused.takeLeftOut() {
      shared.journal.entriesLeftOut(leftOut, "of refused connections")
    }
    if let leftOut = forgotten.takeLeftOut() {
      shared.journal.entriesLeftOut(leftOut, "of users forgotten for others")
    }
  }
}
