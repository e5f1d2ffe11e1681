/// The interface `io.contextdiff`: its description, its limits and its methods.
public enum Interface {
  /// The interface's definition in Varlink's IDL, as `GetInterfaceDescription` serves it.
  public static let description = String(
    decoding: PackageResources.io_contextdiff_varlink, as: UTF8.self)

  /// The longest reply that a client accepts, in bytes: 64 MiB.
  ///
  /// It is more than an event takes that holds the longest texts of a daemon's default limits, all of them escaped.
  package static let replyLimit = 64 << 20

  /// The longest call that a daemon takes by default, in bytes, its NUL not counted: 4 MiB.
  package static let callLimit = 4 << 20

  /// The lowest limit of a call's length that a daemon can be given, in bytes, its NUL not counted: every daemon takes
  /// calls as long as this.
  package static let leastCallLimit = 4_096

  /// The longest text that a daemon takes by default, in bytes of UTF-8: 1 MiB.
  package static let textLimit = 1 << 20

  /// The highest limit of a call's length, and so of a text's, that a daemon can be given, in bytes: the longest text
  /// that the JSON reader takes, 1 less than 256 MiB.
  package static let mostCallLimit = 1 << 28 - 1

  /// The interface's methods, by their names without the interface's.
  package enum Method: String, CaseIterable, Sendable {
    case classify = "Classify"
    case post = "Post"
    case expect = "Expect"
    case withdraw = "Withdraw"
    case subscribe = "Subscribe"
    case forget = "Forget"
    case listSessions = "ListSessions"
    case getStatistics = "GetStatistics"

    /// The method's full name, as a call gives it: `io.contextdiff.Post`.
    package var fullName: String { "io.contextdiff.\(rawValue)" }
  }
}
