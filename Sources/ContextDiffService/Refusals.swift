internal import Synchronization
internal import Systemd
internal import Varlink

/// Closes the clients that the daemon's loop turns away, and bounds the log entries about them.
///
/// Belongs to the daemon's loop.
final class Refusals {
  /// How many clients of all users at most wait to be closed by other threads.
  ///
  /// Their descriptors come from `spareDescriptors`, so that accepted clients never lack any.
  private static let mostClosing = 256

  private let loop: EpollLoop
  private let shared: Shared
  private var entries = ClientEntries(entriesPerSecond: ClientEntries.refusedPerSecond)
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
    log { $0.connectionRefused(socket.peer, because: reason) }
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

  /// Logs an entry, or leaves it out beyond the bound; how many were left out is logged within a second.
  func log(_ entry: (ServiceJournal) -> Void) {
    if entries.admit(now: shared.clock.monotonic()) {
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
    if let leftOut = entries.takeLeftOut() {
      shared.journal.entriesLeftOut(leftOut, ofUser: nil)
    }
  }
}
