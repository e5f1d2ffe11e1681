internal import ContextDiff
package import JSON

extension PairParameters.View {
  /// Reads the parameters of `form` as they are usually written, at once, into what holds none yet.
  ///
  /// What this reads, `init(_:json:fieldLimit:)` reads as the same from a parsed text.
  ///
  /// - Parameters:
  ///   - form: What the parameters are of; not `line`, which may have members of any name.
  ///   - cursor: Where they begin; then behind them.
  ///   - fieldLimit: The longest field that is taken, in bytes of UTF-8.
  /// - Returns: `false` where they are wrong, or not as usual; then nothing here means anything.
  package mutating func read(
    _ form: Form, from cursor: inout JSONCursor, fieldLimit: Int
  ) -> Bool {
    var names = NamesTaken()
    guard cursor.take("{") else { return false }
    repeat {
      if cursor.take(#""session":"#) {
        guard form == .post, names.insert(0), let name = cursor.bytes(),
          unsafe SessionParameters.isName(name.utf8)
        else { return false }
        session = name
      } else if cursor.take(#""old":"#) {
        // Unsafe: what is kept of it is valid as long as the cursor's text.
        let text = unsafe cursor.rest
        var fields = Fields.hidden
        guard names.insert(1), let texts = fields.read(from: &cursor, fieldLimit: fieldLimit)
        else { return false }
        old = fields
        oldText = unsafe SnapshotText(cursor.taken(of: text), with: texts)
      } else if cursor.take(#""new":"#) {
        // Unsafe: as above.
        let text = unsafe cursor.rest
        guard names.insert(2), let texts = new.read(from: &cursor, fieldLimit: fieldLimit)
        else { return false }
        newText = unsafe SnapshotText(cursor.taken(of: text), with: texts)
        hasNew = true
      } else if cursor.take(#""key":"#) {
        guard names.insert(3), let choice: Key = cursor.choice() else { return false }
        evidence.key = choice
      } else if cursor.take(#""cause":"#) {
        guard names.insert(4), let choice: Cause = cursor.choice() else { return false }
        evidence.cause = choice
      } else if cursor.take(#""window":"#) {
        guard names.insert(5), let choice: Window = cursor.choice() else { return false }
        evidence.window = choice
      } else if cursor.take(#""pasteboard":"#) {
        guard names.insert(6), let field = cursor.field(limit: fieldLimit) else { return false }
        pasteboard = field
      } else if cursor.take(#""composition":"#) {
        guard names.insert(7), let read = Composition(&cursor) else { return false }
        evidence.composition = read
      } else if cursor.take(#""merged":"#) {
        guard names.insert(8), let flag = cursor.flag() else { return false }
        evidence.merged = flag
      } else if cursor.take(#""reset":"#) {
        guard names.insert(9), let flag = cursor.flag() else { return false }
        evidence.reset = flag
      } else if cursor.take(#""secure":"#) {
        guard form == .post, names.insert(10), let flag = cursor.flag() else { return false }
        secure = flag
      } else {
        return false
      }
    } while cursor.take(",")
    return cursor.take("}") && missing(in: form) == nil
  }
}

/// Which members of an object were taken.
private struct NamesTaken {
  private var bits: UInt32 = 0

  /// Adds the member of that number; `false` where it was there already.
  @inline(__always)
  mutating func insert(_ number: UInt32) -> Bool {
    let bit = 1 as UInt32 &<< number
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether the member of that number was taken.
  func contains(_ number: UInt32) -> Bool { bits &>> number & 1 == 1 }
}

extension SnapshotText {
  /// The text of which `names` were taken, as `Fields.read` numbers them; it must be valid for as long as
  /// this is used.
  @unsafe
  fileprivate init(_ json: UnsafeRawBufferPointer, with names: NamesTaken) {
    unsafe self.init(
      json: json, hasBefore: names.contains(0), hasSelected: names.contains(1),
      hasAfter: names.contains(2))
  }
}

// MARK: - What the parameters hold

extension Fields {
  /// Reads the interface's `Snapshot` as it is usually written, into one of which nothing is shown.
  ///
  /// Gives its members, by their numbers here; `nil` where it is wrong, or not so.
  fileprivate mutating func read(
    from cursor: inout JSONCursor, fieldLimit: Int
  ) -> NamesTaken? {
    var names = NamesTaken()
    guard cursor.take("{") else { return nil }
    repeat {
      if cursor.take(#""before":"#) {
        guard names.insert(0), let field = cursor.field(limit: fieldLimit) else { return nil }
        before = field
      } else if cursor.take(#""selected":"#) {
        guard names.insert(1), let field = cursor.field(limit: fieldLimit) else { return nil }
        selected = field
      } else if cursor.take(#""after":"#) {
        guard names.insert(2), let field = cursor.field(limit: fieldLimit) else { return nil }
        after = field
      } else if cursor.take(#""hasText":"#) {
        guard names.insert(3), let flag = cursor.flag() else { return nil }
        hasText = flag
      } else if cursor.take(#""caret":"#) {
        guard names.insert(4), let number = cursor.naturalNumber() else { return nil }
        caret = number
      } else if cursor.take(#""selectionShown":"#) {
        guard names.insert(5), let flag = cursor.flag() else { return nil }
        selectionShown = flag
      } else {
        return nil
      }
    } while cursor.take(",")
    return cursor.take("}") ? names : nil
  }
}

extension Composition {
  /// Reads the interface's `Composition` as it is usually written; `nil` where it is wrong, or not so.
  fileprivate init?(_ cursor: inout JSONCursor) {
    guard cursor.take(#"{"before":"#), let before = cursor.naturalNumber(),
      cursor.take(#","after":"#), let after = cursor.naturalNumber(), cursor.take("}")
    else { return nil }
    self.init(before: before, after: after)
  }
}

extension JSONCursor {
  /// A string, valid as long as the cursor's text and until the parser's next call.
  @inline(__always)
  fileprivate mutating func bytes() -> Bytes? {
    // Unsafe: valid as said above.
    unsafe string().map { unsafe Bytes($0) }
  }

  /// A text, or null for one that is not shown; `nil` where it is neither, or too long.
  @inline(__always)
  fileprivate mutating func field(limit: Int) -> Field? {
    if let text = bytes() { return text.count <= limit ? Field(text) : nil }
    return take("null") ? .hidden : nil
  }

  fileprivate mutating func flag() -> Bool? {
    if take("true") { return true }
    return take("false") ? false : nil
  }

  /// A value of one of the interface's enumerations.
  fileprivate mutating func choice<Choice: RawRepresentable<String> & CaseIterable>() -> Choice? {
    guard let text = bytes() else { return nil }
    return Choice.allCases.first { text.isSame(as: $0.rawValue) }
  }

  /// What was taken since `text` was the rest.
  fileprivate func taken(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Unsafe: what is left is the text's end.
    unsafe UnsafeRawBufferPointer(rebasing: text[..<(text.count - rest.count)])
  }
}
