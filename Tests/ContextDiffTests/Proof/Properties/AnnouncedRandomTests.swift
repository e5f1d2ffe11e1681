import ContextDiff
import Testing

/// Announced edits of any kind in sessions of any kind, drawn by lot.
@Suite struct AnnouncedRandomTests {
  private let classifier = Classifier()
  private static let windows: [Window] = [.sentence, .paragraph, .line, .full]

  /// Text left of the caret, selected and right of it, and the host that shows it.
  private struct Field {
    var left = ""
    var selected = ""
    var right = ""
    let window: Window
    /// How many scalars a host that cuts anywhere shows on either side.
    let reach: Int
    /// Whether it shows `""` for null.
    let saysEmpty: Bool

    func shown(adding text: String = "") -> Snapshot {
      var before = left + text
      var after = right
      if window == .full {
        before = String(String.UnicodeScalarView(before.unicodeScalars.suffix(reach)))
        after = String(String.UnicodeScalarView(after.unicodeScalars.prefix(reach)))
      } else {
        after = String(after.prefix { $0 != "\n" })
        if window != .paragraph, let end = before.lastIndex(of: "\n") {
          before = String(before[before.index(after: end)...])
        }
      }
      func field(_ text: String) -> String? { text.isEmpty && !saysEmpty ? nil : text }
      return Snapshot(
        before: field(before), selected: selected.isEmpty ? nil : selected, after: field(after))
    }

    /// Puts the caret, or a selection, somewhere.
    mutating func select(_ random: inout SeededGenerator, isMove: Bool) {
      let all = Array((left + selected + right).unicodeScalars)
      let start = random.number(0...all.count)
      let end = isMove ? start : random.number(start...all.count)
      func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(part))
      }
      (left, selected, right) = (text(all[..<start]), text(all[start..<end]), text(all[end...]))
    }
  }

  private func word(_ random: inout SeededGenerator, _ count: Int) -> String {
    let scalars: [String] = [
      "a", "b", " ", "\n", "か", "゛", "\u{3099}", "😀", "👨\u{200D}👩\u{200D}👧", "。", "e\u{301}", "ก",
      "ำ",
      "д", "(", ")", ".",
    ]
    return (0..<count).map { _ in scalars.randomElement(using: &random) ?? "a" }.joined()
  }

  private func edit(_ random: inout SeededGenerator) -> Edit {
    let counts = [0, 0, 0, 1, 2, 3, 7, 9_000]
    let moves = [0, 0, 0, 1, -1, 3, -3, 8_000, -8_000]
    let units: [Edit.Unit] = [.graphemes, .scalars, .utf16, .bytes, .backspace]
    return Edit(
      insert: word(&random, random.chance(0.01) ? 5_000 : random.number(0...4)),
      deleteBackward: counts.randomElement(using: &random) ?? 0,
      deleteForward: counts.randomElement(using: &random) ?? 0,
      moveCaret: moves.randomElement(using: &random) ?? 0,
      unit: units.randomElement(using: &random) ?? .scalars)
  }

  @Test("Whatever is announced and shown, an edit is named once: as shown, or as unfulfilled")
  func namedOnce() throws {
    for seed in 0..<UInt64(Report.isLong ? 20_000 : 1_500) {
      var random = SeededGenerator(seed: seed)
      var field = Field(
        window: Self.windows[Int(seed % 4)], reach: random.number(3...60),
        saysEmpty: random.chance(0.3))
      field.left = word(&random, random.number(0...40))
      field.right = word(&random, random.number(0...20))
      let isTold = random.chance(0.5)
      var session = Session(memoryLimit: random.chance(0.3) ? random.number(0...100) : 65_536)
      var waiting: Set<Int> = []
      for _ in 0..<random.number(2...20) {
        for _ in 0..<random.number(0...3) {
          let number =
            random.chance(0.2)
            ? try? session.expect(new: field.shown(adding: word(&random, 2)))
            : try? session.expect(edit: edit(&random), with: classifier)
          if let number { #expect(waiting.insert(number).inserted) }
        }
        switch random.number(0...9) {
        case 0...3: (field.left, field.selected) = (field.left + word(&random, 2), "")
        case 4: (field.left, field.selected) = (String(field.left.dropLast(2)), "")
        case 5, 6: field.select(&random, isMove: true)
        case 7: field.select(&random, isMove: false)
        case 8: field.right = String(field.right.dropFirst(1))
        default: (field.left, field.right) = (word(&random, 5), word(&random, 3))
        }
        let said = session.post(
          new: field.shown(), pasteboard: random.chance(0.2) ? word(&random, 3) : nil,
          evidence: Evidence(
            window: isTold ? field.window : nil,
            key: random.chance(0.3) ? Key.allCases.randomElement(using: &random) : nil,
            merged: random.chance(0.1)), with: classifier)
        for number in (said?.expected ?? []) + (said?.unfulfilled ?? []) {
          #expect(waiting.remove(number) != nil, "seed \(seed)")
        }
      }
    }
  }
}
