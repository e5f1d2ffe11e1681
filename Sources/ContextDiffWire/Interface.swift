/// The interface `io.contextdiff`: its text and its methods.
public enum Interface {
  /// The IDL, as `GetInterfaceDescription` serves it.
  ///
  /// It is the one place that defines the interface.
  public static let description = String(
    decoding: PackageResources.io_contextdiff_varlink, as: UTF8.self)

  /// The longest reply that a client takes, in bytes: two snapshots of any size that a daemon takes
  /// by default, with all of their text escaped, and some.
  package static let replyLimit = 64 << 20

  /// The longest call that a daemon takes by default, in bytes.
  package static let callLimit = 4 << 20

  /// The longest call that every daemon takes, in bytes: no limit can be set lower.
  package static let leastCallLimit = 4_096

  /// The longest text that a daemon takes by default, in bytes.
  package static let textLimit = 1 << 20

  /// The interface's methods, by their names.
  package enum Method: String, CaseIterable, Sendable {
    case classify = "Classify"
    case post = "Post"
    case expect = "Expect"
    case withdraw = "Withdraw"
    case subscribe = "Subscribe"
    case forget = "Forget"
    case listSessions = "ListSessions"
    case getStatistics = "GetStatistics"

    /// The name that a call is made by.
    package var fullName: String { "io.contextdiff.\(rawValue)" }
  }
}
