/// A character typed at the caret, where nothing else can be what is seen: most pairs are that.
///
/// Of such a pair the verdict is known before any contest. All readings but `InsertionReading` part from what is
/// seen, and a tap elsewhere would show it by coincidence: so it is an insertion, and certain. What asks for less
/// than a contest has to ask for all that a contest could find; where `init` is in doubt the contest decides. A test
/// holds the two to the same answer.
struct Keystroke {
  /// What was typed: one scalar.
  let text: Bytes

  /// How many scalars in front of the caret make another text there a coincidence beside what was typed: more than
  /// the four that `Measured.coincidence` stands for, by what a tap is likelier.
  private static let shown = 8

  /// `nil` where `observation` shows something else, or may.
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
    guard text.count == text.firstScalarLength, scalar != 0x0A, !terminators.contains(scalar),
      // Behind a terminator or a line break the window begins anew.
      old.last != .newline, !terminators.contains(old.lastScalar),
      old.newScalars(upTo: Keystroke.shown) == Keystroke.shown,
      KeptScalars.count(endOf: old) == KeptScalars.enough, old.isLongerThanAGrapheme,
      // Another cut of `aa|` reads as `a|`: nothing need have come.
      !old.hasSuffix(text),
      // Text that says the same again reads alike at two places.
      after.isEmpty
        || !after.hasPrefix(text) && !after.hasSuffix(text)
          && after.commonPrefix(old) < min(after.count, old.count)
    else { return nil }
    let pasteboard = observation.pasteboard
    if pasteboard.isShown, pasteboard.isEmpty || pasteboard.bytes.hasSuffix(text) { return nil }
    self.text = text
  }

  /// The transition that says so.
  var transition: Transition {
    Transition(
      kind: .insertion, basicKind: .outOfRangeTap,
      cursorOffset: Extent(scalars: 1, utf16: text.count == 4 ? 2 : 1, graphemes: 1),
      inserted: Unicode.Scalar(text.firstScalar).map { String($0) })
  }
}

extension Fields {
  /// Whether it holds no line break where `window`, if it is known, shows none.
  @inline(__always) func keepsTo(_ window: Window?) -> Bool {
    switch window {
    case nil, .full: true
    case .sentence, .paragraph: after.bytes.first != .newline
    case .line: isReadWhole(by: .line)
    }
  }
}

extension Known {
  /// Whether it goes on around `old` as the window's rule has it, so that a keystroke made in it shows what is
  /// seen.
  ///
  /// What is remembered may reach farther than `old`, and another line may read as the one that was typed in.
  func goesOn(around old: Fields, window: Window, terminators: borrowing Terminators) -> Bool {
    let (before, after) = (old.before.bytes, old.after.bytes)
    if left.count < before.count || right.count < after.count { return false }
    return old.keepsTo(window) && startsWhereCut(before, window, terminators)
      && endsWhereCut(old.after, window)
      && (window == .sentence || right.first != .newline
        || !right.dropFirst(1).hasPrefix(before))
  }

  private func startsWhereCut(
    _ before: Bytes, _ window: Window, _ terminators: borrowing Terminators
  ) -> Bool {
    if left.count == before.count || window.left == .all { return true }
    let outside = left.dropLast(before.count).lastScalar
    return outside == 0x0A
      || window == .sentence && terminators.contains(outside)
        && !terminators.contains(before.firstScalar)
  }

  private func endsWhereCut(_ after: Field, _ window: Window) -> Bool {
    let length = after.bytes.count
    // Nothing is known behind it, or a line break, of which a sentence's window says that it is there.
    if right.count == length { return window != .sentence || !after.isEmpty || !after.isShown }
    if window.right == .all { return !after.isEmpty }
    return right[length] == .newline && (window.right == .line || !after.isEmpty || after.isShown)
  }
}

extension Beam {
  /// Whether taking back what was done, or doing it again, looks like `keystroke` in none of the histories.
  func rulesOut(_ keystroke: Keystroke) -> Bool {
    // A span is looked at where it lies; the array would be held for each.
    let pasts = pasts.span
    for index in pasts.indices where !pasts[index].history.isBlank {
      if pasts[index].last != nil || pasts[index].history.mayBringBack(keystroke.text) {
        return false
      }
    }
    return true
  }
}

extension History {
  /// Whether what was erased last begins with `text`.
  fileprivate func mayBringBack(_ text: Bytes) -> Bool {
    let done = done.span
    guard let last = done.indices.last, -done[last].lastEdit == text.count else { return false }
    return done[last].removed.withBytes { $0.hasPrefix(text) }
  }
}
