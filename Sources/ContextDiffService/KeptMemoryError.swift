internal import Varlink

/// Why memory that outlives the process, of events or of sessions, cannot be made or taken over.
package enum KeptMemoryError: Error, Equatable, CustomStringConvertible {
  /// The `errno` of the system call that failed.
  case system(Int32)
  /// Another version of the daemon wrote it, in another form.
  case otherVersion
  /// Why it is not as this version writes it.
  case damaged(String)

  package var description: String {
    switch self {
    case .system(let code): String(errno: code)
    case .otherVersion: "another version of contextdiffd kept them"
    case .damaged(let reason): reason
    }
  }
}
