/// The short cut for the most common pair: one character typed, which cannot be anything else.
///
/// For such a pair the contest would find a certain insertion: no other reading agrees, and a tap would be a
/// coincidence. `init` has to exclude all else that a contest could find; where it is in doubt, it fails, and
/// the contest decides. A test compares the two.
package struct Keystroke {
  /// The one scalar typed.
  package let text: Bytes

  /// How many scalars must stand left of the caret, so that a tap to text that looks alike is a coincidence:
  /// as many as are evident, and as many again because a tap's prior is greater.
  private static let shown = 2 * Measured.evident

  /// Fails where `observation` shows something else, or may.
  @inline(__always)
  init?(_ observation: borrowing LentObservation, terminators: borrowing Terminators) {
    let evidence = observation.evidence
    guard evidence.key ?? .character == .character, evidence.composition == nil, !evidence.merged,
      !evidence.reset,
      observation.old.caret == nil || observation.new.caret == nil,
      observation.old.selected.isEmpty, observation.new.selected.isEmpty
    else { return nil }
    let (old, new) = (observation.old.before.bytes, observation.new.before.bytes)
    let after = observation.new.after.bytes
    guard new.count > old.count, new.hasPrefix(old), observation.old.after == observation.new.after
    else { return nil }
    let text = new.dropFirst(old.count)
    let scalar = text.firstScalar
    guard text.count == text.firstScalarLength, scalar != .newline, !terminators.contains(scalar),
      // After a terminator or a newline the window begins anew.
      old.last != .newline, !terminators.contains(old.lastScalar),
      old.newScalars(upTo: Keystroke.shown) == Keystroke.shown,
      KeptScalars.count(endOf: old) == Measured.evident, old.isLongerThanAGrapheme,
      // `a|` → `aa|` may be the same text, cut elsewhere.
      !old.hasSuffix(text),
      // Where `after` repeats what was typed, or what stands before it, the caret may have moved instead.
      after.isEmpty
        || !after.hasPrefix(text) && !after.hasSuffix(text)
          && (after.commonPrefix(old) < min(after.count, old.count)
            || Keystroke.rulesOutMoves(typing: text, between: old, and: after))
    else { return nil }
    let pasteboard = observation.pasteboard
    if pasteboard.isShown, pasteboard.isEmpty || pasteboard.bytes.hasSuffix(text) { return nil }
    self.text = text
  }

  /// Whether no caret that moved can look like `text` typed between `old` and `after`, neither of which ends with it.
  ///
  /// To the right it would have passed an end of `text` in `after`, and to the left one in `old`; and what stands behind that
  /// place would begin like `after`.
  private static func rulesOutMoves(
    typing text: Bytes, between old: Bytes, and after: Bytes
  ) -> Bool {
    !after.holds(text, before: after[0]) { after.hasPrefix(after.dropFirst($0)) }
      && !old.holds(text, before: after[0]) {
        let passed = old.dropFirst($0)
        let length = min(passed.count, after.count)
        return after.prefix(length) == passed.prefix(length)
          && after.hasPrefix(after.dropFirst(length))
      }
  }

  /// What happened, and what the published list says of it.
  package static let kind = Kind.insertion
  package static let basicKind = Kind.outOfRangeTap

  /// How far the caret went.
  package var cursorOffset: Extent {
    Extent(scalars: 1, utf16: text.count == 4 ? 2 : 1, graphemes: 1)
  }

  /// The certain insertion.
  var transition: Transition {
    Transition(
      kind: Keystroke.kind, basicKind: Keystroke.basicKind, cursorOffset: cursorOffset,
      inserted: Unicode.Scalar(text.firstScalar).map { String($0) })
  }
}

extension Bytes {
  /// Whether `scalar`, one scalar, occurs in it before the byte `next` so that `isWanted` holds for the offset between the
  /// two, in bytes.
  ///
  /// Unlike `Joined.holds` without memory of its own.
  fileprivate func holds(
    _ scalar: Bytes, before next: UInt8, where isWanted: (Int) -> Bool
  ) -> Bool {
    var end = 0
    while count &- end >= 2,
      let place = dropFirst(end).place(
        of: scalar[scalar.count &- 1], and: next, apart: 1, fromEnd: false)
    {
      end &+= place &+ 1
      if prefix(end).hasSuffix(scalar), isWanted(end) { return true }
    }
    return false
  }
}

extension Beam {
  /// Whether neither an undo nor a redo in any of the histories looks like `keystroke`.
  func rulesOut(_ keystroke: Keystroke) -> Bool {
    pasts.indices.allSatisfy {
      pasts[$0].history.isEmpty
        || pasts[$0].lastRetracing == nil && !pasts[$0].history.mayBringBack(keystroke.text)
    }
  }
}

extension History {
  /// Whether undoing the last deletion may bring back `text`.
  fileprivate func mayBringBack(_ text: Bytes) -> Bool {
    guard let last = done.indices.last, -done[last].lastEditLength == text.count else {
      return false
    }
    return done[last].removed.withBytes { $0.hasPrefix(text) }
  }
}
