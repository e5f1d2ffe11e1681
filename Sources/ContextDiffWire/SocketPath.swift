internal import Glibc

/// The paths at which daemons listen.
public enum SocketPath {
  /// The path of the socket that clients connect to, by the environment.
  ///
  /// It is `$CONTEXTDIFF_SOCKET` where that is set, or else that of the user's own daemon,
  /// `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`. Where neither variable is set, it is that of the machine's daemon,
  /// `/run/contextdiff/io.contextdiff`. An empty variable counts as unset.
  public static var standard: String {
    variable("CONTEXTDIFF_SOCKET")
      ?? "\(variable("XDG_RUNTIME_DIR") ?? "/run")/contextdiff/io.contextdiff"
  }

  /// Whether `standard` is the path that `$CONTEXTDIFF_SOCKET` names.
  package static var isNamed: Bool { variable("CONTEXTDIFF_SOCKET") != nil }

  /// Whether `path` is in the folder of the machine's daemon, `/run/contextdiff`.
  package static func isMachines(_ path: String) -> Bool {
    path.utf8.starts(with: "/run/contextdiff/".utf8)
  }

  /// The value of an environment variable; `nil` where it is unset or empty.
  package static func variable(_ name: String) -> String? {
    // Unsafe: the environment's text is copied at once.
    let value = unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    return value.isEmpty ? nil : value
  }
}
