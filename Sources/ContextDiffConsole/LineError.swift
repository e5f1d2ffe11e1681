package import ContextDiffWire
package import JSON

/// Why a line of a batch or of a recording cannot be read.
///
/// Holds no text of the line but the name of a member, so that it can be printed.
package enum LineError: Error, Equatable, CustomStringConvertible {
  /// The line has more bytes than the limit.
  case tooLong(limit: Int)
  /// The line's pair, as a call, has more bytes than the limit.
  case callTooLong(limit: Int)
  /// The line is not one JSON text.
  case notJSON(JSONError)
  /// The line is a JSON value other than an object.
  case notAnObject
  /// A member of the object is missing, unknown, of the wrong type, or too long.
  case member(MessageError)

  package var description: String {
    switch self {
    case .tooLong(let limit): "longer than \(limit) bytes"
    case .callTooLong(let limit):
      "its call is longer than \(limit) bytes, the daemon's limits.frameBytes"
    case .notJSON(let error): "not JSON: \(error)"
    case .notAnObject: "not a JSON object"
    case .member(let error): error.wordsForWriter
    }
  }
}
