import ContextDiff
import Testing

/// The line that a host of lines shows beside the caret's: GTK 3 the one below at a line's end, Firefox the one
/// above at a line's start.
@Suite struct NeighbourTests {
  @Test(arguments: [
    // Return keeps the line below; a caret that went up has its old line there.
    ("ab|⏎next", "∅|⏎next", Kind.insertion), ("ab|⏎next", "∅|⏎ab", .outOfRangeTap),
    ("~|o", "∅|⏎~o", .outOfRangeTap),
    // Backspace in an empty line keeps the line below, too.
    ("∅|⏎ilk", "allggs|⏎ilk", .deletion), ("∅|⏎ilk", "allggs|⏎", .outOfRangeTap),
    // Return in an empty line leaves an empty one above.
    ("milk⏎|∅", "⏎|∅", .insertion),
  ])
  func itTellsWhatLooksAlikeInTheLine(_ old: String, _ new: String, _ kind: Kind) {
    var session = Session(at: old, window: .line)
    let transition = session.post(new)
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
  }

  @Test(arguments: [
    // In the last line there is no line below, whatever is put in.
    ("∅|∅", " am F|⏎", Optional(Key.unpressed), Kind.outOfRangeTap),
    ("∅|∅", " am F|∅", Key.unpressed, .insertion),
    // Return over a line's text leaves the line below; a field that was sent shows none.
    ("∅[one line]∅", "∅|⏎next", .return, .replacement),
    // Return at a line's end leaves the line below, too: the caret went there.
    ("Yours,|⏎", "∅|∅", nil, .cursorMove),
    // Return at a line's start moves no text that is shown.
    ("∅|milk⏎eggs", "∅|milk⏎eggs⏎bread", nil, .windowShift),
    ("⏎|milk⏎eggs", "⏎|milk⏎eggs⏎bread", nil, .windowShift),
  ])
  func itTellsWhetherThereIsALineBeside(_ old: String, _ new: String, _ key: Key?, _ kind: Kind) {
    var session = Session(at: old, window: .line)
    let transition = session.post(
      new: drawn(new), evidence: Evidence(window: .line, key: key), with: Classifier())
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
  }

  /// A host of lines shows each whole, unless it is very long.
  @Test(arguments: [
    ("", Kind.outOfRangeTap), (String(repeating: ", no end", count: 90), .cursorMove),
  ])
  func aPartOfAShortLineIsAnotherLine(_ end: String, _ kind: Kind) {
    var session = Session(
      at: "we met at noon, and |there is a tea room by the gate" + end, window: .line)
    let transition = session.post("there is a tea| room by the gate" + end)
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
  }

  /// At the text's start GTK 4 shows no newlines before the caret, unless it is they that are selected.
  @Test(arguments: [
    ("∅|milk and eggs", "∅|⏎milk and", Kind.outOfRangeTap),
    ("milk |and eggs", "∅[⏎milk ]and eggs", .selection),
    ("∅|milk and eggs", "∅|two milk and eggs", .insertion),
  ])
  func newlinesAtTheStartMayHaveBeenHidden(_ old: String, _ new: String, _ kind: Kind) {
    var session = Session(at: old, window: .full)
    let transition = session.post(new)
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
  }

  @Test(arguments: [("∅[milk]∅", "∅[⏎milk]∅"), ("∅[milk]∅", "∅[milk⏎]∅")])
  func aSelectionGoesOnOverALinesEnd(_ old: String, _ new: String) {
    var session = Session(at: old, window: .line)
    let transition = session.post(new)
    #expect(transition?.kind == .selection, "\(transition.map { drawn($0) } ?? "")")
  }

  /// A host that hides selections shows the lines of one.
  @Test func itSaysNothingWhereMoreThanALineIsShown() {
    var session = Session(at: "ab|∅", window: .line)
    let transition = session.post("ab|⏎cd⏎ef")
    #expect(transition?.kind == .windowShift, "\(transition.map { drawn($0) } ?? "")")
  }

  @Test(arguments: [
    (nil, Kind.paste), (Key.return, .insertion), (.paste, .paste), (.shortcut, .paste),
  ])
  func oneLineBreakThatThePasteboardHoldsIsAPaste(_ key: Key?, _ kind: Kind) {
    var session = Session(at: "ab|cd", window: .line)
    let transition = session.post(
      new: drawn("∅|cd"), pasteboard: "\n", evidence: Evidence(window: .line, key: key),
      with: Classifier())
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
    #expect(transition?.inserted == "\n")
  }

  @Test func whatThePasteboardHoldsMayBeTheLineAbove() {
    var session = Session(at: "∅| call Ann", window: .line)
    let transition = session.post(
      new: drawn("milk| call Ann"), pasteboard: "milk", evidence: Evidence(window: .line),
      with: Classifier())
    #expect(transition?.kind == .paste)
    #expect(transition?.alternatives.contains(.deletion) ?? false)
  }

  @Test func textBeyondTheWholeDocumentMayBeElsewhere() {
    var session = Session(at: "one line, and no other|∅", window: .full)
    _ = session.post("∅|∅")
    let transition = session.post("one line, and no othe|r, one line, and no other")
    #expect(
      transition?.kind == .outOfRangeTap
        || transition?.alternatives.contains(.outOfRangeTap) ?? false,
      "\(transition.map { drawn($0) } ?? "")")
  }

  @Test(arguments: [
    ("∅|ab", "∅[⏎]ab", Window.line, Kind.selection),
    ("∅|⏎next line", "n|ext line", .full, .cursorMove),
  ])
  func noCompletionOrCorrectionReachesOverALinesEnd(
    _ old: String, _ new: String, _ window: Window, _ kind: Kind
  ) {
    var session = Session(at: old, window: window)
    let transition = session.post(new)
    #expect(transition?.kind == kind, "\(transition.map { drawn($0) } ?? "")")
  }
}
