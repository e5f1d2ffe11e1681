internal import Synchronization
internal import Systemd
internal import Varlink

/// What the daemon's loop refuses: closes the clients that are turned away, and bounds the entries about them.
///
/// Belongs to the daemon's loop.
final class Refusals {
  /// How many clients are closed elsewhere at a time, of all users: they take no descriptors that others need.
  private static let mostClosing = 256

  private let loop: EpollLoop
  private let shared: Shared
  private var entries = ClientEntries()
  private var leftOut: EpollLoop.Timer?
  /// How many clients that were turned away wait for other threads to close them.
  private let closing = Closing()

  private final class Closing: Sendable {
    let count = Atomic<Int>(0)
  }

  init(on loop: EpollLoop, _ shared: Shared) {
    self.loop = loop
    self.shared = shared
  }

  /// Closes a client unheard.
  ///
  /// Where it has sent anything, which the kernel frees then, not on this thread, for which everybody waits, but on its
  /// user's where there is one, or on one of its own, also where each may take its time (`Interrupter`).
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
    log { $0.connectionRefused(socket.peer, because: reason) }
  }

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

  /// Logs what is refused to somebody, where that is not too often; what is left out is told a second later.
  func log(_ entry: (ServiceJournal) -> Void) {
    if entries.admit(.refused, now: shared.clock.monotonic()) {
      entry(shared.journal)
    } else if leftOut == nil {
      leftOut = loop.schedule(after: .seconds(1)) { [unowned self] in
        leftOut = nil
        tellLeftOut()
      }
    }
  }

  /// Logs how many entries were left out.
  func tellLeftOut() {
    for (party, leftOut) in entries.takeLeftOut() {
      shared.journal.entriesLeftOut(leftOut, of: party)
    }
  }
}
