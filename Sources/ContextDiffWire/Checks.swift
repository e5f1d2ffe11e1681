package import ContextDiff

// What the interface takes of the engine's values, for readers that get them otherwise than as JSON: the same ranges,
// and the same errors, as where they are read.

extension Fields {
  /// The places of the caret that the interface takes.
  static let carets = 0...Int.max
}

extension Composition {
  /// The lengths that the interface takes.
  static let lengths = 0...Int.max
}

extension Edit {
  /// The most units that one edit may delete or move the caret by, so that sums of them cannot overflow.
  package static let countLimit = 1 << 31
  /// The lengths to delete that the interface takes.
  static let deletions = 0...countLimit
  /// The ways of the caret that the interface takes.
  static let moves = -countLimit...countLimit
}

extension Snapshot {
  /// Throws where the interface does not take it as the member `name`, the longest text being `fieldLimit` bytes of UTF-8.
  package func check(_ name: String, fieldLimit: Int) throws(MessageError) {
    do {
      try before?.check("before", limit: fieldLimit)
      try selected?.check("selected", limit: fieldLimit)
      try after?.check("after", limit: fieldLimit)
      _ = try caret?.checked("caret", within: Fields.carets)
    } catch { throw error.within(name) }
  }
}

extension Evidence {
  /// Throws where the interface does not take it.
  package func check() throws(MessageError) {
    guard let composition else { return }
    do {
      _ = try composition.before.checked("before", within: Composition.lengths)
      _ = try composition.after.checked("after", within: Composition.lengths)
    } catch { throw error.within("composition") }
  }
}

extension Edit {
  /// Throws where the interface does not take it as the member `name`, the longest text being `fieldLimit` bytes of UTF-8.
  package func check(_ name: String, fieldLimit: Int) throws(MessageError) {
    do {
      try insert.check("insert", limit: fieldLimit)
      _ = try deleteBackward.checked("deleteBackward", within: Edit.deletions)
      _ = try deleteForward.checked("deleteForward", within: Edit.deletions)
      _ = try moveCaret.checked("moveCaret", within: Edit.moves)
    } catch { throw error.within(name) }
  }
}

extension String {
  /// Throws where the text has more than `limit` bytes of UTF-8.
  package func check(_ name: String, limit: Int) throws(MessageError) {
    guard utf8.count <= limit else { throw MessageError(name, .tooLong(limit: limit)) }
  }
}

extension Int {
  /// The integer; throws where it is outside of `range`.
  func checked(_ name: String, within range: ClosedRange<Int>) throws(MessageError) -> Int {
    guard range.contains(self) else { throw .mustBe(range.words, name) }
    return self
  }
}

extension ClosedRange<Int> {
  /// The range in words: `an integer`, with the bounds that it has.
  var words: String {
    self == .min ... .max ? "an integer" : "an integer from \(lowerBound) to \(upperBound)"
  }
}

extension MessageError {
  /// The error of a call of `Expect` whose edit could not be announced.
  package init(_ error: Session.ExpectError) {
    self =
      switch error {
      case .noBaseline: .missing("old")
      case .invalidEdit: .mustBe("an edit that does something", "edit")
      }
  }
}
