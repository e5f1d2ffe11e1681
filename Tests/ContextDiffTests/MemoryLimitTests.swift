import ContextDiff
import Testing

/// Text that is longer than what a session may remember.
@Suite("Text beyond the memory's limit")
struct MemoryLimitTests {
  private let classifier = Classifier()

  @Test(
    "A caret move is as long as it was, however little is remembered", arguments: [0, 16, 64, 300])
  func moves(limit: Int) {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let document = MemoryLimitTests.document(&random)
      let length = document.unicodeScalars.count
      var session = Session(memoryLimit: limit)
      var caret = random.number(0...length)
      for _ in 0..<20 {
        let next = random.number(0...length)
        let shown = Window.full.snapshot(of: document, from: next, to: next)
        let move = session.post(new: shown, evidence: Evidence(window: .full), with: classifier)
        if let offset = move?.cursorOffset {
          #expect(offset.scalars == next - caret, "seed \(seed): \(caret) to \(next)")
        }
        caret = next
      }
    }
  }

  @Test("What is remembered says nothing else than what is shown", arguments: Window.allCases)
  func agrees(window: Window) {
    let alphabet = ["a", "b", "あ", "。", "\n", "ab", "あい", "😀"].map { Array($0.unicodeScalars) }
    let evidence = Evidence(window: window)
    for seed in 0..<1_500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      func word() -> [Unicode.Scalar] { alphabet.randomElement(using: &random) ?? [] }
      var document = (0..<random.number(5...60)).flatMap { _ in word() }
      var caret = document.count / 2
      var undone: [([Unicode.Scalar], Int)] = []
      var session = Session(memoryLimit: 40)
      for _ in 0..<40 {
        switch random.number(0...9) {
        case 0...2:
          undone.append((document, caret))
          let come = word()
          document.insert(contentsOf: come, at: caret)
          caret += come.count
        case 3...4 where caret > 0:
          undone.append((document, caret))
          caret -= 1
          document.remove(at: caret)
        case 5, 6: caret = random.number(0...document.count)
        default: if let last = undone.popLast() { (document, caret) = last }
        }
        let text = String(String.UnicodeScalarView(document))
        let shown = window.snapshot(of: text, from: caret, to: caret)
        _ = session.post(new: shown, evidence: evidence, with: classifier)
        if window == .line { continue }
        let known = session.remembered
        let left = (Array(known.left.utf8), Array((shown.before ?? "").utf8))
        let right = (Array(known.right.utf8), Array((shown.after ?? "").utf8))
        let (before, after) = (
          min(left.0.count, left.1.count), min(right.0.count, right.1.count)
        )
        #expect(
          left.0.suffix(before) == left.1.suffix(before)
            && right.0.prefix(after) == right.1.prefix(after), "seed \(seed)")
      }
    }
  }

  @Test("The limit holds, however much is selected", arguments: [0, 16, 1_000])
  func longSelection(limit: Int) {
    let lengths = [0, 10, 400, 900, 1_000, 1_500]
    for left in lengths {
      for selected in lengths {
        for right in lengths {
          var session = Session(memoryLimit: limit)
          _ = session.post(
            new: Snapshot(
              before: String(repeating: "a", count: left),
              selected: String(repeating: "b", count: selected),
              after: String(repeating: "c", count: right)),
            evidence: Evidence(window: .full), with: classifier)
          let known = session.remembered
          let remembered = known.left + known.selected + known.right
          #expect(remembered.utf8.count <= limit, "\(left), \(selected), \(right)")
        }
      }
    }
  }

  @Test("What goes is more than a tiny memory holds", arguments: [1, 2, 3])
  func hiddenSelection(limit: Int) {
    var session = Session(memoryLimit: limit)
    _ = session.post(new: Snapshot(before: "🇯🇵가.\r\n", after: "\n"), with: classifier)
    let gone = session.post(
      new: Snapshot(before: "🇯🇵가.\r", after: "\n", selectionShown: false), with: classifier)
    #expect(gone != nil)
  }

  @Test("A document far shorter than the one before is read as well", arguments: [0, 64, 65_536])
  func anotherDocument(limit: Int) {
    var session = Session(memoryLimit: limit)
    let long = String(repeating: "あ", count: 100_000)
    _ = session.post(
      new: Snapshot(before: long), evidence: Evidence(window: .full), with: classifier)
    let other = session.post(
      new: Snapshot(before: "x"), evidence: Evidence(window: .full), with: classifier)
    #expect(other != nil)
    let typed = session.post(
      new: Snapshot(before: "xy"), evidence: Evidence(window: .full), with: classifier)
    #expect(typed?.kind == .insertion)
    #expect(typed?.inserted == "y")
  }

  @Test("Edits, selections and pastes longer than the memory", arguments: [0, 16, 64, 2_048])
  func edits(limit: Int) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var session = Session(memoryLimit: limit)
      var document = Array(MemoryLimitTests.document(&random).unicodeScalars)
      for _ in 0..<30 {
        let from = random.number(0...document.count)
        let to = random.number(from...document.count)
        if random.chance(0.3) {
          document.replaceSubrange(
            from..<to, with: MemoryLimitTests.document(&random).unicodeScalars.prefix(900))
        }
        let end = min(to, document.count)
        let start = random.chance(0.5) ? end : min(from, end)
        let window = random.chance(0.9) ? Window.full : .sentence
        let shown = window.snapshot(
          of: String(String.UnicodeScalarView(document)), from: start, to: end)
        if random.chance(0.1) {
          _ = try? session.expect(edit: Edit(insert: "あ", deleteBackward: 2), with: classifier)
        }
        _ = session.preview(new: shown, evidence: Evidence(window: window), with: classifier)
        _ = session.post(new: shown, evidence: Evidence(window: window), with: classifier)
        if random.chance(0.05) {
          session = try #require(Session(archive: session.archived(), memoryLimit: limit))
        }
      }
      #expect(session.latest != nil)
    }
  }

  private static func document(_ random: inout SeededGenerator) -> String {
    let parts = ["a", "b", "。", "\n", "あ", "か\u{3099}", "😀", " "]
    return (0..<random.number(0...1_200)).map { _ in parts[random.number(0...parts.count - 1)] }
      .joined()
  }
}
