package import Varlink

/// Why the parameters of a call, or of a reply, cannot be taken.
///
/// Never holds text.
package enum MessageError: Error, Equatable {
  /// A member is missing, of the wrong type or out of its range; the path names it
  /// (`old.before`).
  case invalid(InvalidParameter)
  /// A text is longer than `limit` bytes of UTF-8; the path names its member.
  case tooLarge(InvalidParameter, limit: Int)

  /// The error of the member at `path`; `""` for the value itself.
  package static func invalid(_ path: String) -> MessageError { .invalid(InvalidParameter(path)) }

  /// The same error, seen from the object that holds the value as `member`.
  package func within(_ member: String) -> MessageError {
    switch self {
    case .invalid(let path): .invalid(path.within(member))
    case .tooLarge(let path, let limit): .tooLarge(path.within(member), limit: limit)
    }
  }
}
