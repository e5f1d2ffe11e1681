import ContextDiff
import Testing

/// What is long in letters of ASCII is long in as many kana or ideographs, which take three bytes each.
@Suite struct ScalarLimitTests {
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXY")
  private static let ideographs = Array(
    "一丁七万丈三上下不与丐丑専且世丘丙両並中串丸丹主乃久之乍乗乙九乞也乱乳乾亀了予争事二云互五井亘亜亡交亥亦享京亭亮人什仁仇今")

  /// A stretch of a text in which no ten characters come twice.
  private func text(_ alphabet: [Character], _ range: Range<Int>) -> String {
    String(range.map { alphabet[($0 * $0 * 7 + $0 * 13 + $0 / 61 * 17) % 61] })
  }

  @Test(
    "Text erased right of the caret, where the window slides along",
    arguments: [letters, ideographs])
  func slides(_ alphabet: [Character]) {
    let done = Classifier().classify(
      Observation(
        old: Snapshot(before: "before ", after: text(alphabet, 0..<80)),
        new: Snapshot(
          before: "before ", after: text(alphabet, 30..<80) + text(alphabet, 100..<130)),
        evidence: Evidence(window: .full)))
    #expect(done.kind == .deletion)
    #expect(done.removed == text(alphabet, 0..<30))
  }

  @Test(
    "A caret that goes left character by character into a text left before",
    arguments: [letters, ideographs])
  func joins(_ alphabet: [Character]) {
    var session = Session()
    func post(_ caret: Int) -> Transition? {
      session.post(
        new: Snapshot(
          before: text(alphabet, caret - 300..<caret), after: text(alphabet, caret..<caret + 300)),
        evidence: Evidence(window: .full), with: Classifier())
    }
    _ = post(300)
    #expect(post(1_300)?.kind == .outOfRangeTap)
    for caret in (850..<1_300).reversed() { _ = post(caret) }
    #expect(post(1_300)?.cursorOffset?.scalars == 450)
    // The text between the two was seen, so that they are one.
    #expect(post(300)?.cursorOffset?.scalars == -1_000)
  }

  @Test("A letter with many marks is one character")
  func marks() {
    for count in [20, 70, 120] {
      let cluster = "e" + String(repeating: "\u{301}", count: count)
      let done = Classifier().classify(
        Observation(
          old: Snapshot(before: cluster), new: Snapshot(), evidence: Evidence(window: .full)))
      #expect(done.kind == .deletion, "\(count) marks")
    }
  }

  @Test(
    "A run of ideographic spaces proves no more than one of spaces",
    arguments: ["\u{20}", "\u{3000}"])
  func blanks(_ blank: String) {
    let indented = String(repeating: blank, count: 4)
    let done = Classifier().classify(
      Observation(
        old: Snapshot(before: indented), new: Snapshot(before: indented + "x"),
        evidence: Evidence(window: .paragraph)))
    #expect(done.kind == .insertion)
    #expect(done.certainty == .likely)
  }

  @Test(
    "Text that a host hid at a line's start is shown again with what was typed",
    arguments: ["abc", "漢字が"])
  func shownAgain(_ line: String) {
    var session = Session(at: "\(line)⏎|def", window: .paragraph)
    session.post("∅|def")
    let typed = session.post("\(line)⏎x|def")
    #expect(typed?.kind == .insertion)
    #expect(typed?.inserted == "x")
    #expect(typed?.cursorOffset?.scalars == 1)
  }
}
