internal import ContextDiff
package import JSON

extension PairParameters.View {
  /// Reads the parameters of `form` from a cursor, where they are written as most are, into a view as `init` makes it.
  ///
  /// `init(_:json:fieldLimit:)` reads the same values from a parsed text; this is faster.
  ///
  /// - Parameters:
  ///   - form: what the parameters are of; not `line`, which may have members of any name.
  ///   - cursor: a cursor at the beginning of the parameters, which is moved behind them.
  ///   - fieldLimit: the longest field that is taken, in bytes of UTF-8.
  /// - Returns: `false` where the parameters are not valid, or are written otherwise; the view's values are then
  ///   meaningless.
  package mutating func read(
    _ form: Form, from cursor: inout JSONCursor, fieldLimit: Int
  ) -> Bool {
    // Unsafe: a view is valid as long as the cursor's text is.
    let start = unsafe cursor.rest
    guard cursor.take("{") else { return false }
    return unsafe readMembers(
      of: form, but: NamesTaken(), from: &cursor, openingAt: start, fieldLimit: fieldLimit)
  }

  /// Reads the parameters of a post as `read` does, faster where they begin with `likelyStart`; `old` is `nil` then, for
  /// it is the session's latest snapshot.
  package mutating func readPost(
    from cursor: inout JSONCursor, likelyStart: borrowing PostStart, fieldLimit: Int
  ) -> Bool {
    guard likelyStart.take(from: &cursor, into: &self, fieldLimit: fieldLimit) else {
      return read(.post, from: &cursor, fieldLimit: fieldLimit)
    }
    var names = NamesTaken()
    guard names.insert(0), names.insert(1), cursor.take(",") else { return false }
    // Unsafe: the opening has been taken, and is not looked for any more.
    return unsafe readMembers(
      of: .post, but: names, from: &cursor, openingAt: cursor.rest, fieldLimit: fieldLimit)
  }

  /// Reads members of the parameters up to their end; those in `names` have been read.
  ///
  /// `start` is where the cursor stood before the parameters.
  @unsafe
  private mutating func readMembers(
    of form: Form, but names: NamesTaken, from cursor: inout JSONCursor,
    openingAt start: UnsafeRawBufferPointer, fieldLimit: Int
  ) -> Bool {
    var names = names
    repeat {
      if cursor.take(#""session":"#) {
        guard form == .post, names.insert(0), let name = cursor.bytes(),
          unsafe SessionParameters.isName(name.utf8)
        else { return false }
        session = name
      } else if cursor.take(#""old":"#) {
        // Unsafe: a view is valid as long as the cursor's text is.
        let text = unsafe cursor.rest
        if names.areOnly(0) { unsafe opening = cursor.taken(of: start) }
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

/// The members of an object that have been taken, as numbers from 0 to 31.
private struct NamesTaken {
  private var bits: UInt32 = 0

  /// Adds the member with the number `number`; `false` where it has been taken before.
  @inline(__always)
  mutating func insert(_ number: UInt32) -> Bool {
    let bit = 1 as UInt32 &<< number
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// Whether the member with the number `number` has been taken, and no other.
  @inline(__always)
  func areOnly(_ number: UInt32) -> Bool { bits == 1 &<< number }

  /// Whether the member with the number `number` has been taken.
  func contains(_ number: UInt32) -> Bool { bits &>> number & 1 == 1 }
}

extension SnapshotText {
  /// The JSON of a snapshot, whose members have the numbers `names` in `Fields.read`; it must be valid for as long as
  /// this is used.
  @unsafe
  fileprivate init(_ json: UnsafeRawBufferPointer, with names: NamesTaken) {
    unsafe self.init(
      json: json, hasBefore: names.contains(0), hasSelected: names.contains(1),
      hasAfter: names.contains(2))
  }
}

// MARK: - The types of the parameters

extension Fields {
  /// Reads the interface's `Snapshot` from a cursor, where it is written as most are, into a hidden snapshot.
  ///
  /// Returns the numbers, as given here, of the members that it has; `nil` where it is not valid, or is written
  /// otherwise.
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
  /// Reads the interface's `Composition` from a cursor; `nil` where it is not valid, or is not written as most are.
  fileprivate init?(_ cursor: inout JSONCursor) {
    guard cursor.take(#"{"before":"#), let before = cursor.naturalNumber(),
      cursor.take(#","after":"#), let after = cursor.naturalNumber(), cursor.take("}")
    else { return nil }
    self.init(before: before, after: after)
  }
}

extension JSONCursor {
  /// Moves over a string, which is valid as long as the cursor's text and until the parser's next call.
  @inline(__always)
  fileprivate mutating func bytes() -> Bytes? {
    // Unsafe: valid as documented above.
    unsafe string().map { unsafe Bytes($0) }
  }

  /// Moves over a snapshot's field, a string or null; `nil` where neither is next, or the string has more than `limit`
  /// bytes.
  @inline(__always)
  fileprivate mutating func field(limit: Int) -> Field? {
    if let text = bytes() { return text.count <= limit ? Field(text) : nil }
    return take("null") ? .hidden : nil
  }

  /// Moves over `true` or `false`; `nil` where neither is next.
  fileprivate mutating func flag() -> Bool? {
    if take("true") { return true }
    return take("false") ? false : nil
  }

  /// Moves over a value of an enumeration whose raw values are its names in the interface; `nil` where none is next.
  fileprivate mutating func choice<Choice: RawRepresentable<String> & CaseIterable>() -> Choice? {
    guard let text = bytes() else { return nil }
    return Choice.allCases.first { text.isSame(as: $0.rawValue) }
  }

  /// The bytes taken since the cursor's rest was `text`.
  fileprivate func taken(of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Unsafe: the cursor's rest is the end of `text`.
    unsafe UnsafeRawBufferPointer(rebasing: text[..<(text.count - rest.count)])
  }
}
