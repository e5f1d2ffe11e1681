import ContextDiff
import Testing

/// The blank between two sentences, with which a sentence's window begins: it is no indentation, and seen again it is
/// no proof that it stayed.
@Suite struct SentenceStartTests {
  private let classifier = Classifier()

  private func said(
    _ old: String, _ new: String, key: Key? = nil, pasteboard: String? = nil
  ) -> Transition {
    classifier.classify(
      Observation(
        old: drawn(old), new: drawn(new), pasteboard: pasteboard,
        evidence: Evidence(window: .sentence, key: key)))
  }

  @Test(
    "A sentence's end and a blank, put in at once, are no indented line",
    arguments: [
      "Hello there |my friend.", "We met|today.", "नमस्ते दोस्तों |आज हम मिलेंगे।",
    ])
  func terminatorAndBlank(old: String) {
    let after = old[old.firstIndex(of: "|")!...]
    let seen = said(old, " " + after)
    #expect(seen.kind == .insertion)
    #expect(seen.isPartial)
    #expect(scalars(seen.inserted) == scalars(" "))
    #expect(seen.cursorOffset == nil)
    // On Return the editor indented; several blanks it did not put between sentences.
    #expect(scalars(said(old, " " + after, key: .return).inserted) == scalars("\n "))
    #expect(scalars(said(old, "    " + after).inserted) == scalars("\n    "))
  }

  @Test func aPasteboardThatEndsSoWasPasted() {
    let seen = said("We met|today.", " |today.", pasteboard: " him. ")
    #expect(seen.kind == .paste)
    #expect(scalars(seen.inserted) == scalars(" him. "))
  }

  @Test("What was typed behind a sentence that was put in whole is erased up to it")
  func goesOnBehindIt() {
    var session = Session(at: "Hello there |My friend.")
    _ = session.post(" |My friend.")
    let erased = session.post("Hello there.|My friend.")
    #expect(erased?.kind == .deletion)
    #expect(scalars(erased?.removed) == scalars(" "))
  }

  @Test("Erased back over the end of a sentence, its own first blank is seen")
  func erasedOverEnd() {
    let seen = said(" |my friend.", " How are you|my friend.")
    #expect(seen.kind == .insertion)
    #expect(seen.certainty == .likely)
    #expect(seen.alternatives.contains(.deletion))
    let erased = said(" |my friend.", " How are you|my friend.", key: .backspace)
    #expect(erased.kind == .deletion)
    #expect(erased.isPartial)
    // One character is typed.
    let typed = said(" |my friend.", " H|my friend.")
    #expect(typed.kind == .insertion && typed.certainty == .certain)
  }

  @Test(
    "An announced deletion over the end of a sentence was made",
    arguments: [
      (1, "How are you?", "∅"), (2, " How are you", "My friend."), (1, " How are you?", "∅"),
    ])
  func announced(count: Int, before: String, after: String) throws {
    var session = Session(at: " |\(after)")
    try session.expect(edit: Edit(deleteBackward: count), with: classifier)
    let seen = session.post("\(before)|\(after)")
    #expect(seen?.kind == .expected)
    #expect(seen?.expected == [1])
  }

  @Test("A line's first character, where the line above is seen only until then, may be typed")
  func firstCharacter() {
    var session = Session()
    var said: Transition?
    for (state, key) in [
      ("the line above|∅", nil), ("the line above⏎|∅", Key.return), ("d|∅", .character),
    ] {
      var snapshot = drawn(state)
      snapshot.selectionShown = false
      said = session.post(new: snapshot, evidence: Evidence(key: key), with: classifier)
    }
    #expect(said?.kind == .insertion || said?.alternatives.contains(.insertion) ?? false)
  }
}
