package import ContextDiff
package import ContextDiffWire
internal import JSON

/// Reads the lines of a batch or of a recording, each a JSON object by itself.
package struct LineReader: ~Copyable {
  private let parser = JSONParser()

  /// What a line says: a pair of snapshots, and what belongs to it.
  package struct Pair: Sendable {
    /// The pair; its `session` is `nil`.
    package var parameters: PairParameters
    /// The line's `name`, by which a person tells the pair from others; `nil` where it has none.
    package var name: String?
    /// The line's `session`, as an event names it; `nil` where it has none.
    package var session: String?
    /// The line's `announced` and the numbers in its `transition`, which are an event's.
    package var announced = RecordedAnnouncements.Line()
  }

  /// What a line is read for, which decides what it must have and what it may.
  package enum Use: Sendable {
    /// To be classified by itself: it must have `old`.
    case classify
    /// To be explained with the lines before it.
    case explain
    /// To be posted, and so reported: a member of the line that is not known is an error, for it may be a misspelt
    /// `secure`. Those of a recording, and `name`, `kind` and `basicKind`, are known.
    case post
  }

  /// A reader; it keeps nothing of a line for the next one.
  package init() {}

  /// Reads a pair: `old`, `new` and the other parameters of `Classify`.
  ///
  /// Unknown members of the line are ignored, but where it is posted; unknown members of the objects in it (e.g. `new`)
  /// are errors.
  ///
  /// - Parameters:
  ///   - line: The bytes of one line.
  ///   - window: The window of a line that names none.
  ///   - use: What the line is read for.
  ///   - fieldLimit: The most bytes that one text may have.
  /// - Returns: The pair.
  /// - Throws: Why the line is no pair.
  package mutating func pair(
    _ line: [UInt8], window: Window?, for use: Use, fieldLimit: Int
  ) throws(LineError) -> Pair {
    try object(line) { json throws(MessageError) in
      var parameters = try PairParameters(
        PairParameters.View(
          use == .post ? .postedLine : .line, json: json, fieldLimit: fieldLimit))
      guard use != .classify || parameters.old != nil else { throw .missing("old") }
      if json["window"].isNull { parameters.evidence.window = window }
      parameters.session = nil
      return Pair(
        parameters: parameters, name: json["name"].string, session: json["session"].string,
        announced: try RecordedAnnouncements.Line(json))
    }
  }

  /// Reads an event as `LineWriter.event(_:)` writes it; one without `old` or `new` is an error.
  package mutating func event(_ line: [UInt8]) throws(LineError) -> Event {
    try object(line) { json throws(MessageError) in
      let event = try Event(json: json)
      guard event.old != nil else { throw .missing("old") }
      guard event.new != nil else { throw .missing("new") }
      return event
    }
  }

  /// Parses a line, and calls `read` with the JSON object.
  private mutating func object<Value>(
    _ line: [UInt8], _ read: (JSONValue) throws(MessageError) -> Value
  ) throws(LineError) -> Value {
    // Unsafe: the JSON value points into the line, and is used in this closure alone.
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
  /// Reads a line's `announced` and `transition`, which may be missing.
  fileprivate init(_ json: JSONValue) throws(MessageError) {
    announced = try Announcement.list(json["announced"])
    expected = try Transition.expectedNumbers(json["transition"])
  }
}
