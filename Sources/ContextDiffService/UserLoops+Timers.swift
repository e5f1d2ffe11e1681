internal import CLinux
internal import ContextDiffWire
internal import Systemd
internal import Varlink

// The daemon's loop's own timers. Each runs only while something is due.

extension UserLoops {
  /// Has the status line sent to the service manager in a second, unless that is planned already.
  func scheduleStatus() {
    guard status == nil, drainTime == nil else { return }
    status = loop.schedule(after: .seconds(1)) { [unowned self] in
      status = nil
      shared.releaseStatus()
      manager.status(statusLine)
    }
  }

  /// The status line for `systemctl status`: the numbers of sessions, subscribers and pairs of all users.
  package var statusLine: String {
    let all = shared.tallies.statistics()
    func counted(_ number: Int, _ what: String) -> String {
      "\(number) \(what)\(number == 1 ? "" : "s")"
    }
    return [
      counted(all.sessions, "session"), counted(all.subscribers, "subscriber"),
      counted(all.pairs, "pair"),
    ].joined(separator: ", ")
  }

  /// Has free memory between allocations given back to the kernel (malloc_trim(3)) in a second, unless that is planned.
  ///
  /// A thread of its own does it, since it takes about 100 µs for each MiB of small allocations, in which clients would
  /// wait to be accepted.
  func scheduleTrim() {
    guard trim == nil, drainTime == nil else { return }
    trim = loop.schedule(after: .seconds(1)) { [unowned self] in
      trim = nil
      quota.rearmOnFreed()
      do { try DetachedThread.start { clinux_trim_memory() } } catch { scheduleTrim() }
    }
  }

  /// Has `onIdle` called after `idleExitSeconds`, if that is set and nobody is connected, nor has anything to read; counts
  /// from this call on.
  func scheduleIdleExit() {
    idleExit?.cancel()
    idleExit = nil
    guard settings.idleExitSeconds > 0, !isAnybodyActive, unread.isEmpty, drainTime == nil else {
      return
    }
    idleExit = loop.schedule(after: .seconds(settings.idleExitSeconds)) { [unowned self] in
      onIdle()
    }
  }
}
