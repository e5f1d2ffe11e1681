/// Why the parameters of a call or a reply are not valid; it never holds text that was typed.
package struct MessageError: Error, Equatable {
  /// What is wrong.
  ///
  /// Indirect, so that the error fits into registers, and functions that can throw it cost nothing where they do not.
  package indirect enum Reason: Equatable, Sendable {
    /// The member must be there and is not.
    case missing
    /// The object has a member that is none of `known`.
    ///
    /// `name` is the member's name; `nil` where that is no identifier, and so may be text in the wrong place.
    case unknown(name: String?, known: StaticNames)
    /// The member is of the wrong type, or has a value that it may not have; the words say what it must be: `a string`.
    case mustBe(String)
    /// The member's text is longer than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
  }

  /// The names of the members that an object may have, for people: `before, selected or after`.
  package struct StaticNames: Equatable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    private let text: StaticString

    /// The names in the literal.
    package init(stringLiteral text: StaticString) { self.text = text }

    /// Whether both hold the same text.
    package static func == (left: StaticNames, right: StaticNames) -> Bool {
      left.description == right.description
    }

    /// The names.
    package var description: String { text.description }
  }

  /// The path of the member that is wrong: `old.before`.
  ///
  /// Where a member is unknown, the path of its object; `""` for the parameters themselves.
  package private(set) var path: String
  /// What is wrong there.
  package let reason: Reason

  /// An error at `path`; `""` is the value that is being read.
  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The error that the member `name` is missing.
  package static func missing(_ name: String) -> MessageError { MessageError(name, .missing) }

  /// The error that the member `name` is not what `words` say.
  package static func mustBe(_ words: String, _ name: String) -> MessageError {
    MessageError(name, .mustBe(words))
  }

  /// The same error, its path seen from the object that has the value as its member `member`.
  package func within(_ member: String) -> MessageError {
    MessageError(path.utf8.isEmpty ? member : "\(member).\(path)", reason)
  }

  /// The path of the member that is wrong, as `org.varlink.service.InvalidParameter` names it.
  ///
  /// Of an unknown member without a name, the path of its object; `parameters` for the parameters themselves.
  package var parameter: String {
    guard case .unknown(let name?, _) = reason else {
      return path.utf8.isEmpty ? "parameters" : path
    }
    return path.utf8.isEmpty ? name : "\(path).\(name)"
  }
}

extension MessageError: CustomStringConvertible {
  /// The error in words for whoever wrote the message: as `description`, and with the name of an unknown member.
  package var wordsForWriter: String {
    guard case .unknown(_?, let known) = reason else { return description }
    return "\(parameter): unknown; there may be \(known)"
  }

  /// The error in words, which quote nothing of the message.
  package var description: String {
    let object = path.utf8.isEmpty ? "parameters" : path
    return switch reason {
    case .missing: "\(object): missing"
    case .unknown(_, "none"): "\(object): must be empty"
    case .unknown(_, let known): "\(object): a member other than \(known)"
    case .mustBe(let words): "\(object): must be \(words)"
    case .tooLong(let limit): "\(object): longer than \(limit) bytes"
    }
  }
}
