import ContextDiff
import Testing

/// A selection that is shown up to the window's end, behind which it may go on.
@Suite struct SelectionBeyondTests {
  @Test(
    "Erased, more may have gone than was shown",
    arguments: [
      (Window.line, "one two [three]∅", "one two |four"),
      (.full, "one two [three]∅", "one two |four"),
      (.line, "∅[one two] three", "zero | three"),
    ])
  func erased(_ window: Window, _ old: String, _ new: String) {
    let said = said(old, new, window, key: .backspace)
    #expect(said.kind == .deletion)
    #expect(said.isPartial)
    #expect(said.cursorOffset == nil)
  }

  @Test("A pasteboard that holds more than was shown, at that end, holds it")
  func cut() {
    let old = "one two [three four]∅"
    #expect(said(old, "one two |six", .full, pasteboard: "three four five").kind == .cut)
    #expect(said(old, "one two |six", .full, pasteboard: "other text").kind != .cut)
  }

  @Test("A sentence's window shows it whole", arguments: [Window.sentence, .paragraph])
  func whole(_ window: Window) {
    #expect(!said("one two [three]∅", "one two |four", window).isPartial)
  }

  @Test("What was selected at a session's start may be put in again")
  func firstSelection() {
    var session = Session(at: "see [the mat] sat", window: .full)
    _ = session.post("see | sat")
    _ = session.post("see it| sat")
    let said = session.post("see itthe mat| sat")
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == "the mat")
  }

  @Test("A character typed over it shows the rest of the line in which it ended")
  func typedOver() {
    for rest in ["x", "dy", "day and more of it"] {
      let said = said("She said we[ek,]∅", "She said wet|\(rest)", .line, key: .character)
      #expect(said.kind == .replacement)
      #expect(said.inserted == "t")
      #expect(said.isPartial)
    }
    #expect(said("say [so]∅", "say (|)", .line, key: .character).inserted == "()")
  }

  @Test("What the key for it cut is on the pasteboard, where that begins with a short selection")
  func cutShort() {
    let said = said(
      "She said we[ek,]∅", "She said we|∅", .line, key: .cut, pasteboard: "ek,\nMonday")
    #expect(said.kind == .cut)
    #expect(said.isPartial)
  }
}
