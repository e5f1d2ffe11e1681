/// Why the parameters of a call, or of a reply, cannot be taken.
///
/// Never holds text that was typed.
package struct MessageError: Error, Equatable {
  /// What is wrong.
  ///
  /// Boxed: it is made where something is wrong alone, and an error that fits into registers costs
  /// a reader nothing.
  package indirect enum Reason: Equatable, Sendable {
    /// The member must be there and is not.
    case missing
    /// The object has a member of another name than those in `known`; `name` is the sender's own,
    /// `nil` where it can be no name: it may be text that stands in the wrong place.
    case unknown(name: String?, known: StaticNames)
    /// The member is of the wrong type, or has a value that it may not have; what it must be, in
    /// words: `a string`.
    case mustBe(String)
    /// The member's text is longer than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
  }

  /// The members that an object may have, as people read them: `before, selected or after`.
  package struct StaticNames: Equatable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    private let text: StaticString

    /// The names in the literal.
    package init(stringLiteral text: StaticString) { self.text = text }

    /// Whether both are of the same names.
    package static func == (left: StaticNames, right: StaticNames) -> Bool {
      left.description == right.description
    }

    /// The names.
    package var description: String { text.description }
  }

  /// The path of the member at fault (`old.before`); of the object at fault where a member of it is
  /// unknown, `""` for the parameters themselves.
  package private(set) var path: String
  /// What is wrong with it.
  package let reason: Reason

  /// The error of the member at `path`; `""` for the value itself.
  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// A member of that name is missing.
  package static func missing(_ name: String) -> MessageError { MessageError(name, .missing) }

  /// The member of that name must be what `words` say.
  package static func mustBe(_ words: String, _ name: String) -> MessageError {
    MessageError(name, .mustBe(words))
  }

  /// The same error, seen from the object that holds the value as `member`.
  package func within(_ member: String) -> MessageError {
    MessageError(path.utf8.isEmpty ? member : "\(member).\(path)", reason)
  }

  /// The path of the member at fault, as `org.varlink.service.InvalidParameter` names it; of its object
  /// where it is unknown and has no name that can be one.
  package var parameter: String {
    guard case .unknown(let name?, _) = reason else {
      return path.utf8.isEmpty ? "parameters" : path
    }
    return path.utf8.isEmpty ? name : "\(path).\(name)"
  }
}

extension MessageError: CustomStringConvertible {
  /// What is wrong with which member, and what it may be; nothing of what the sender wrote.
  package var description: String {
    let object = path.utf8.isEmpty ? "parameters" : path
    return switch reason {
    case .missing: "\(object): missing"
    case .unknown(_, let known): "\(object): a member other than \(known)"
    case .mustBe(let words): "\(object): must be \(words)"
    case .tooLong(let limit): "\(object): longer than \(limit) bytes"
    }
  }
}
