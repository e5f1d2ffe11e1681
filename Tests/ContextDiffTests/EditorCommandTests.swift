import ContextDiff
import Testing

/// What editors do besides what a key types: Cut without a selection, text put in right of the caret, overwriting.
@Suite struct EditorCommandTests {
  private func said(
    _ old: String, _ new: String, window: Window, key: Key?, pasteboard: String? = nil
  ) -> Transition? {
    var session = Session(at: old, window: window)
    return session.post(
      new: drawn(new), pasteboard: pasteboard, evidence: Evidence(window: window, key: key),
      with: Classifier())
  }

  @Test("Cut with nothing selected cuts the line, and the next one is shown")
  func cutLine() {
    let old = "    print(line.|strip(), number)"
    for window in [Window.line, .full] {
      for (new, pasteboard) in [
        ("∅|    return number", "    print(line.strip(), number)\n"), ("    return| number", nil),
      ] {
        let cut = said(old, new, window: window, key: .cut, pasteboard: pasteboard)
        // Which text the cut took is not known.
        #expect(cut?.kind == .cut && cut?.removed == nil && cut?.isPartial == true)
      }
    }
    // A window that shows a part of the line.
    let part = said(
      "brown fox| jumps over", "|The next line", window: .full, key: .cut,
      pasteboard: "The quick brown fox jumps over the lazy dog\n")
    #expect(part?.kind == .cut)
    // The pasteboard holds something else: Cut did nothing.
    let other = said(old, "    return| number", window: .line, key: .cut, pasteboard: "other")
    #expect(other?.kind == .outOfRangeTap)
  }

  @Test("Only text right of the caret is gone: Cut removed that")
  func cutLineInSight() {
    let cut = said(
      "∅|    print(x)⏎    return number", "∅|    return number", window: .full, key: .cut,
      pasteboard: "    print(x)\n")
    #expect(cut?.kind == .cut)
    #expect(cut?.removed == "    print(x)\n")
  }

  @Test(
    "Text put in right of the caret at a line's start brings no newline",
    arguments: [Window.line, .full, .sentence], ["# ", "    ", "X"])
  func insertedRight(window: Window, text: String) {
    let put = said("∅|foo bar", "∅|\(text)foo bar", window: window, key: nil)
    #expect(put?.kind == .insertion)
    #expect(put?.inserted == text)
    #expect(put?.cursorOffset?.scalars == 0)
  }

  @Test("A character typed over another breaks no line")
  func overwritten() {
    for (old, new) in [("The cat|s", "The cat |∅"), ("foo(s|)", "foo(st|∅")] {
      let over = said(old, new, window: .line, key: .character)
      #expect(over?.kind == .replacement)
      #expect(over?.inserted?.contains("\n") == false)
    }
  }

  @Test("A comment toggled by a shortcut may be an edit")
  func toggled() {
    let toggled = said(
      "The meeting was moved |to", "# The meeting was moved |to", window: .line, key: .shortcut)
    #expect(toggled?.alternatives.contains(.insertion) == true)
  }

  @Test(
    "A character exchanged right of the caret at a line's start breaks no line",
    arguments: Window.allCases)
  func exchangedBehind(_ window: Window) {
    let said = Classifier().classify(
      Observation(
        old: drawn("⏎|func main() {"), new: drawn("⏎|qunc main() {"),
        evidence: Evidence(window: window)))
    #expect(said.kind == .replacement)
    #expect(said.inserted == "q" && said.removed == "f")
  }

  @Test(
    "A newline inserted behind the caret is named",
    arguments: [("ab cd|ef gh", "ab cd|⏎ef gh"), ("東京|∅", "東京|⏎")])
  func openedLine(_ old: String, _ new: String) {
    var session = Session(at: old, window: nil)
    let said = session.post(new)
    #expect(said?.kind == .insertion || said?.alternatives.contains(.insertion) == true)
    #expect(said?.certainty == .likely)
  }
}
