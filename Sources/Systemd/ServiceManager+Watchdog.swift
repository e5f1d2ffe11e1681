internal import CSystemd

extension ServiceManager {
  /// After how many microseconds without ``watchdog()`` the manager takes this process for stuck;
  /// nil where it doesn't watch.
  ///
  /// Twice as often is what sd_watchdog_enabled(3) recommends. nil too where `$WATCHDOG_PID` names
  /// another process. C: `sd_watchdog_enabled`.
  public static var watchdogInterval: UInt64? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : nil
  }

  /// Says that the process is alive (`WATCHDOG=1`).
  ///
  /// To be sent by whatever must not get stuck, and by nothing else.
  public static func watchdog() {
    notify(["WATCHDOG=1"])
  }
}
