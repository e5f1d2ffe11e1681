internal import CSystemd

/// What this process tells the service manager that started it, by the protocol of sd_notify(3).
///
/// Each function does nothing, at the cost of one environment look-up, where `$NOTIFY_SOCKET` is
/// not set: a program started by hand calls them all the same. A message that the manager doesn't
/// take is dropped, as sd_notify(3) advises. Each message is one datagram, sent at once; a manager
/// that doesn't read blocks the caller once its socket is full.
public enum ServiceManager {
  /// Sends assignments such as `READY=1`, in one message.
  ///
  /// `state`: each a `NAME=value` without a newline; one that holds a newline would end there for
  /// the manager, so it is left out. Nothing is sent where none is left. C: `sd_notify`.
  public static func notify(_ state: [String]) {
    guard let message = datagram(of: state) else { return }
    _ = sd_notify(0, message)
  }

  /// Says that start-up, or a reload, is finished (`READY=1`), with a first status line.
  public static func ready(status: String) {
    notify(["READY=1", "STATUS=" + status])
  }

  /// Says that the process is on its way out (`STOPPING=1`).
  public static func stopping() {
    notify(["STOPPING=1"])
  }

  /// Says that settings are being read anew (`RELOADING=1`); ``ready(status:)`` says that it's
  /// done.
  ///
  /// Carries `MONOTONIC_USEC`, by which systemd 253 and later (`Type=notify-reload`) tells this
  /// reload from an older one.
  public static func reloading() {
    notify(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)"])
  }

  /// Replaces the one line that `systemctl status` shows (`STATUS=`).
  public static func status(_ line: String) {
    notify(["STATUS=" + line])
  }

  /// The assignments as the protocol wants them, one a line; nil where there is none that can be
  /// sent.
  package static func datagram(of state: [String]) -> String? {
    let lines = state.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
