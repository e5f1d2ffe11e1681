internal import Glibc

/// Where the daemon listens.
public enum SocketPath {
  /// The path that `$CONTEXTDIFF_SOCKET` names; else that of this user's daemon,
  /// `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`; else that of the machine's,
  /// `/run/contextdiff/io.contextdiff`.
  ///
  /// A variable that is empty counts as unset.
  public static var standard: String {
    variable("CONTEXTDIFF_SOCKET")
      ?? "\(variable("XDG_RUNTIME_DIR") ?? "/run")/contextdiff/io.contextdiff"
  }

  /// Whether `$CONTEXTDIFF_SOCKET` names it.
  package static var isNamed: Bool { variable("CONTEXTDIFF_SOCKET") != nil }

  /// Whether `path` is one of the machine's daemon, as opposed to a user's.
  package static func isMachines(_ path: String) -> Bool {
    path.utf8.starts(with: "/run/contextdiff/".utf8)
  }

  private static func variable(_ name: String) -> String? {
    // Unsafe: the environment's own text, copied at once.
    let value = unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    return value.isEmpty ? nil : value
  }
}
