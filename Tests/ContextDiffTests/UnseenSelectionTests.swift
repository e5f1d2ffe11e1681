import ContextDiff
import Testing

/// What is done to a selection that the host does not show.
@Suite struct UnseenSelectionTests {
  private func said(
    _ old: String, _ new: String, key: Key? = nil, pasteboard: String? = nil
  ) -> Transition {
    var (old, new) = (drawn(old), drawn(new))
    (old.selectionShown, new.selectionShown) = (false, false)
    return Classifier().classify(
      Observation(
        old: old, new: new, pasteboard: pasteboard, evidence: Evidence(window: .line, key: key)))
  }

  @Test("A paste over it is a paste, and says what went")
  func pastedOver() {
    for key in [Key.paste, .shortcut, nil] {
      let said = said("abcd|ef", "abXYZ|ef", key: key, pasteboard: "XYZ")
      #expect(said.kind == .paste)
      #expect(said.removed == "cd")
      #expect(said.inserted == "XYZ")
    }
  }

  @Test("One character may have been cut, too, where a command went to the host")
  func oneCharacterCut() {
    #expect(said("|abcdef", "|bcdef", key: .cut).kind == .cut)
    #expect(said("|abcdef", "|bcdef", key: .cut, pasteboard: "a").kind == .cut)
    #expect(said("|abcdef", "|bcdef", key: .shortcut, pasteboard: "a").kind == .cut)
    #expect(said("abcdef|", "abcde|", key: .backspace).kind == .deletion)
    #expect(said("abcdef|", "abcde|").kind == .deletion)
  }

  @Test("Either eraser takes it, wherever the caret is shown", arguments: [Key.backspace, .delete])
  func erased(key: Key) {
    #expect(said("abc|def ghi", "abc|i", key: key).kind == .deletion)
    #expect(said("abc|def ghi", "a|def ghi", key: key).kind == .deletion)
  }

  @Test("A character replaces it")
  func typedOver() {
    #expect(said("abc|def ghi", "X|def ghi", key: .character).kind == .replacement)
    #expect(said("abc|def ghi", "abcX|ghi", key: .character).kind == .replacement)
  }

  @Test("What is gone to may be selected, but by an eraser")
  func elsewhere() {
    for key in [Key.unpressed, .caret, nil] {
      let said = said("いろはにほへと|", "ちりぬるを|わかよたれそ", key: key)
      #expect(said.kind == .outOfRangeTap)
      #expect(said.alternatives.contains(.selection))
      #expect(said.certainty == .likely)
    }
    #expect(
      !said("いろはにほへと|", "ちりぬるを|わかよたれそ", key: .backspace).alternatives.contains(.selection))
  }

  @Test("What comes into view behind a selection that went on unseen was not put in")
  func typedOverBeyond() {
    var session = Session(at: "hello wor[ld and]∅", window: .line)
    let said = session.post("hello worx| more text", key: .character)
    #expect(said?.kind == .replacement)
    #expect(said?.inserted == "x" && said?.isPartial == true)
  }
}
