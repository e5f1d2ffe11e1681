internal import Glibc

/// Where the daemon listens.
public enum SocketPath {
  /// The path of this user's daemon, `$XDG_RUNTIME_DIR/contextdiff/io.contextdiff`; that of the
  /// machine's, `/run/contextdiff/io.contextdiff`, where the variable is unset or empty.
  public static var standard: String {
    // Unsafe: the environment's own text, copied at once; who changes it meanwhile breaks any program.
    let directory = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
    return "\(directory.isEmpty ? "/run" : directory)/contextdiff/io.contextdiff"
  }
}
