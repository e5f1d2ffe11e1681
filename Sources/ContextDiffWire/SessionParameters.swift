internal import ContextDiff
package import JSON

/// The parameters of `Forget`.
package struct SessionParameters: Sendable {
  /// The longest name that a session may have, in bytes of UTF-8.
  private static let longestName = 255
  /// What a session's name is, for errors.
  package static let nameRule = "1 to \(longestName) bytes without control characters"

  /// The error that the member `name` can be no session's name.
  package static func notAName(_ name: String = "session") -> MessageError {
    .mustBe("a string of \(nameRule)", name)
  }

  /// Whether `utf8` can be a session's name: as `nameRule` says, for names are written to the journal and to terminals.
  package static func isName(_ utf8: some Collection<UInt8>) -> Bool {
    guard 1...longestName ~= utf8.count else { return false }
    var previous: UInt8 = 0
    for byte in utf8 {
      if 0x20..<0x7F ~= byte { continue }
      // C2 and a byte from 80 to 9F are the control characters from U+0080 to U+009F.
      if byte < 0x20 || byte == 0x7F || previous == 0xC2 && byte < 0xA0 { return false }
      previous = byte
    }
    return true
  }

  /// The session's name.
  package var session: String

  /// The parameters for the session with the name `session`.
  package init(session: String) {
    self.session = session
  }

  /// Reads the parameters.
  package init(json: JSONValue) throws(MessageError) {
    var session: String?
    try json.forEachMember { name, value throws(MessageError) in
      guard case "session" = name else { throw name.unknown("session") }
      session = try value.sessionName().string
    }
    guard let session else { throw .missing("session") }
    self.session = session
  }

  /// Writes the parameters' members.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
  }
}

extension JSONValue {
  /// A session's name, not copied: valid as long as the value is.
  func sessionName(_ member: String = "session") throws(MessageError) -> Bytes {
    // Unsafe: valid as long as the value.
    guard let name = unsafe utf8.map({ unsafe Bytes($0) }),
      unsafe SessionParameters.isName(name.utf8)
    else { throw SessionParameters.notAName(member) }
    return name
  }
}

/// The parameters of a method that has none.
package enum NoParameters {
  /// Checks that there are no parameters.
  ///
  /// - Throws: `MessageError` where `json` has a member.
  package static func read(_ json: JSONValue) throws(MessageError) {
    try json.forEachMember { name, _ throws(MessageError) in throw name.unknown("none") }
  }
}
