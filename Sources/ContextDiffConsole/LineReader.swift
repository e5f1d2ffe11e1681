package import ContextDiff
package import ContextDiffWire
internal import JSON

/// Reads the lines of a batch or of a recording, each a JSON object by itself.
package struct LineReader: ~Copyable {
  private let parser = JSONParser()

  /// A line that is a pair.
  package struct Pair: Sendable {
    /// The pair, without a session.
    package var parameters: PairParameters
    /// The line's `name`, which says what the pair is about; `nil` where it has none.
    package var name: String?
    /// The line's `session`, as an event names it; `nil` where it has none.
    package var session: String?
    /// What the line says of announced edits, as an event does.
    package var announced = RecordedAnnouncements.Line()
  }

  /// A reader that has read nothing.
  package init() {}

  /// Reads a pair: `old` (which a batch with a session may leave out), `new` and the other
  /// parameters of `Classify`; further members are passed over, but for those in an object of the
  /// interface.
  ///
  /// - Parameters:
  ///   - line: The bytes of one line.
  ///   - window: The window of a line that names none.
  ///   - needsOld: Whether `old` must be there.
  ///   - fieldLimit: The most bytes that one text may have.
  /// - Returns: The pair.
  /// - Throws: Why the line is none.
  package mutating func pair(
    _ line: [UInt8], window: Window?, needsOld: Bool, fieldLimit: Int
  ) throws(LineError) -> Pair {
    try object(line) { json throws(MessageError) in
      var parameters = try PairParameters(
        PairParameters.View(.line, json: json, fieldLimit: fieldLimit))
      guard !needsOld || parameters.old != nil else { throw .missing("old") }
      if json["window"].isNull { parameters.evidence.window = window }
      parameters.session = nil
      return Pair(
        parameters: parameters, name: json["name"].string, session: json["session"].string,
        announced: try RecordedAnnouncements.Line(json))
    }
  }

  /// Reads an event with its pair, as `LineWriter.event(_:)` wrote it.
  package mutating func event(_ line: [UInt8]) throws(LineError) -> Event {
    try object(line) { json throws(MessageError) in
      let event = try Event(json: json)
      guard event.old != nil else { throw .missing("old") }
      guard event.new != nil else { throw .missing("new") }
      return event
    }
  }

  private mutating func object<Value>(
    _ line: [UInt8], _ read: (JSONValue) throws(MessageError) -> Value
  ) throws(LineError) -> Value {
    // Unsafe: the value is read before the line that is lent goes.
    unsafe try line.withUnsafeBufferPointer { bytes throws(LineError) in
      let json: JSONValue
      do throws(JSONError) {
        json = unsafe try parser.parse(UnsafeRawBufferPointer(bytes))
      } catch {
        throw .notJSON(error)
      }
      guard json.isObject else { throw .notAnObject }
      do throws(MessageError) {
        return try read(json)
      } catch {
        throw .member(error)
      }
    }
  }
}

extension RecordedAnnouncements.Line {
  /// What an event says, or a line that holds as much of one as it likes.
  fileprivate init(_ json: JSONValue) throws(MessageError) {
    announced = try Announcement.list(json["announced"])
    guard json["transition"]["kind"].string == Kind.expected.rawValue else { return }
    var numbers: [Int] = []
    json["transition"]["expected"].forEachElement { numbers.append($0.integer ?? 0) }
    expected = numbers
  }
}
