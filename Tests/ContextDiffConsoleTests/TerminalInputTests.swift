import ContextDiffConsole
import Testing

@Suite struct TerminalInputTests {
  private typealias Event = TerminalInput.Event

  private func typed(_ text: String) -> Event { .act(.type(text)) }

  @Test func altWithALetterMeansNothing() {
    var input = TerminalInput()
    #expect(input.read("\u{1B}xa".utf8) == [typed("a")])
    #expect(input.read("\u{1B}éa".utf8) == [typed("a")])
    // The letter's second byte comes later.
    #expect(input.read([0x1B, 0xC3]) == [])
    #expect(input.read([0xA9, 0x61]) == [typed("a")])
  }

  @Test func escapeBeforeAnotherSequenceMeansNothing() {
    var input = TerminalInput()
    #expect(input.read("\u{1B}\u{1B}[C".utf8) == [.act(.move(.right, selecting: false))])
  }

  @Test(arguments: [[0x1B], [0x1B, 0x5B], [0x1B, 0x4F], [0xE3], [0xE3, 0x81]])
  func whatDoesNotEndIsDropped(_ begun: [UInt8]) {
    var input = TerminalInput()
    #expect(input.read(begun) == [] && input.isWaiting)
    input.settle()
    #expect(!input.isWaiting)
    #expect(input.read("a".utf8) == [typed("a")])
  }

  @Test(arguments: ["a\rb", "a\r\nb", "a\nb"])
  func aPasteHasNewlines(_ text: String) {
    var input = TerminalInput()
    #expect(
      input.read("\u{1B}[200~\(text)\u{1B}[201~".utf8) == [.act(.pasteFromOutside("a\nb"))])
  }

  @Test func aPasteGoesOnHoweverSlowlyItComes() {
    var input = TerminalInput()
    #expect(input.read("\u{1B}[200~ab\u{1B}".utf8) == [] && !input.isWaiting)
    input.settle()
    #expect(input.read("[201~c".utf8) == [.act(.pasteFromOutside("ab")), typed("c")])
  }
}

@Suite struct PaletteTests {
  @Test(arguments: ["か", "\u{FF9E}", "\u{200D}a"])
  func aMarkedTextIsCutWhateverItBeginsWith(_ start: String) {
    let line = "\u{1B}[7m\(start)bcdefgh\u{1B}[0m"
    #expect(Palette.fit(line, columns: 40) == line)
    let cut = Palette.fit(line, columns: 4)
    #expect(cut.hasSuffix("⋯\u{1B}[0m") && !cut.contains("efg"))
  }
}
