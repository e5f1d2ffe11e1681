import ContextDiff
import ContextDiffConsole
import Testing

@Suite struct TransitionDrawingTests {
  private let drawing = TransitionDrawing()

  @Test func saysNoMoreThanIsKnown() {
    #expect(
      drawing.draw(Transition(kind: .unchanged, basicKind: .unchanged)) == "unchanged, certain")
  }

  @Test func saysAllThatIsKnown() {
    let transition = Transition(
      kind: .replacement, basicKind: .outOfRangeTap, certainty: .likely,
      alternatives: [.paste, .outOfRangeTap],
      cursorOffset: Extent(scalars: 3, utf16: 4, graphemes: 2), inserted: "ab", removed: "\n",
      isPartial: true, leavesComposition: true, expected: [4, 5])
    #expect(
      drawing.draw(transition)
        == """
        replacement, likely (or paste, outOfRangeTap)  -"⏎"  +"ab"  (in part)  caret +3  \
        announced edits: 2  leaves the composition  list: outOfRangeTap
        """)
  }

  @Test func certaintyHasAColour() {
    let coloured = TransitionDrawing(palette: .coloured)
    #expect(
      coloured.draw(Transition(kind: .cut, basicKind: .cut)) == "\u{1B}[1;32mcut\u{1B}[0m, certain")
    #expect(
      coloured.draw(
        Transition(kind: .cut, basicKind: .cut, certainty: .likely, alternatives: [.deletion]))
        == "\u{1B}[1;33mcut\u{1B}[0m, likely (or deletion)")
  }
}

@Suite struct TableTests {
  private let table: Table = {
    var table = Table(heading: ["kind", "pairs"], numeric: [1])
    table.rows = [["cut", "7"], ["挿入", "1024"]]
    return table
  }()

  @Test func columnsLineUp() {
    #expect(
      table.aligned(.plain) == """
        kind  pairs
        cut       7
        挿入   1024

        """)
  }

  @Test func pipedRowsHaveNoHeading() {
    #expect(table.separated() == "cut\t7\n挿入\t1024\n")
  }

  @Test func aNameCannotBreakARow() {
    var table = Table(heading: ["session"])
    table.rows = [["a\tb\nc"]]
    #expect(table.separated() == "a␉b⏎c\n")
  }
}
