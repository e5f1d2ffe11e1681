import ContextDiff
import Testing

/// What must hold between the readings of pairs that belong together, over text as people write it.
@Suite struct MetamorphicTests {
  private static let seed: UInt64 = 20_261_122
  private static let count = 2_000

  private func read(_ old: Shown, _ new: Shown, _ window: Window) -> Transition {
    Classifier().classify(
      Observation(old: old.snapshot, new: new.snapshot, evidence: Evidence(window: window)))
  }

  /// A piece of Japanese or English text and two different carets in it.
  private func sample(_ random: inout SeededGenerator) -> (text: [Unicode.Scalar], Int, Int) {
    let source = Array((random.chance(0.5) ? Texts.japanese : Texts.english).unicodeScalars)
    let length = random.number(20...120)
    let start = random.number(0...source.count - length)
    let text = Array(source[start..<start + length])
    let first = random.number(0...length - 1)
    return (text, first, random.number(first + 1...length))
  }

  private func mirrored(_ shown: Shown) -> Shown {
    Shown(
      before: shown.after.map { $0.reversed() }, selected: shown.selected.map { $0.reversed() },
      after: shown.before.map { $0.reversed() })
  }

  /// Putting text in is left out: the caret ends behind it, and would end before it.
  @Test func aMirrorImageReadsAlike() {
    var random = SeededGenerator(seed: Self.seed)
    let host = Host(.full)
    for number in 0..<Self.count {
      let (text, first, second) = sample(&random)
      let caret = Field(text, first, first)
      let selection = Field(text, first, second)
      let (old, new): (Field, Field) =
        switch number % 5 {
        case 0: (caret, Field(text, second, second))
        case 1: (caret, selection)
        case 2: (selection, caret)
        case 3: (selection, selection.exchanging(first..<second, for: []))
        default: (caret, caret.exchanging(first..<first + 1, for: []))
        }
      let plain = read(host.shows(old), host.shows(new), .full)
      let mirror = read(mirrored(host.shows(old)), mirrored(host.shows(new)), .full)
      let drawing = "\(drawn(host.shows(old).snapshot)) → \(drawn(host.shows(new).snapshot))"
      #expect(
        mirror.kind == plain.kind,
        "seed \(Self.seed) #\(number) \(drawing): \(drawn(plain)); mirrored \(drawn(mirror))")
      if plain.kind == .cursorMove {
        #expect(
          mirror.cursorOffset?.scalars == plain.cursorOffset.map { -$0.scalars },
          "seed \(Self.seed) #\(number) \(drawing)")
      }
    }
  }

  @Test func aMoveToTheTextsStartIsMeasured() {
    let there = Classifier().classify(
      Observation(
        old: Snapshot(before: "once con", after: "sidering"),
        new: Snapshot(after: "once considering"), evidence: Evidence(window: .full)))
    #expect(there.kind == .cursorMove)
    #expect(there.cursorOffset?.scalars == -8)
  }

  @Test(arguments: Window.allCases)
  func insertionSwappedIsDeletion(_ window: Window) {
    var random = SeededGenerator(seed: Self.seed + 1)
    let host = Host(window)
    var swapped = 0
    for number in 0..<Self.count {
      let (text, caret, _) = sample(&random)
      let put = Array("ねこ猫abc".unicodeScalars.shuffled(using: &random).prefix(random.number(1...3)))
      let old = Field(text, caret, caret)
      let new = old.exchanging(caret..<caret, for: put)
      let oldShown = host.shows(old)
      let newShown = host.shows(new)
      // A window that starts anew, at a sentence's or a line's start, does not hold the text on
      // both sides of the edit, and what it held comes into view again only when swapped. Where
      // blanks alone are kept, swapping shows what Enter with an indentation would show.
      guard let kept = oldShown.before, kept.contains(where: { $0 != " " && $0 != Host.newline }),
        newShown.before == kept + put
      else { continue }
      swapped += 1
      let there = read(oldShown, newShown, window)
      let back = read(newShown, oldShown, window)
      let drawing = "\(drawn(oldShown.snapshot)) → \(drawn(newShown.snapshot))"
      #expect(
        there.kind == .insertion && there.inserted == String(put),
        "seed \(Self.seed + 1) #\(number) \(drawing): \(drawn(there)) \(drawn(there.inserted))")
      #expect(
        back.kind == .deletion && back.removed == String(put),
        "seed \(Self.seed + 1) #\(number) back, \(drawing): \(drawn(back)) \(drawn(back.removed))")
    }
    #expect(swapped > Self.count / 4)
  }

  @Test(arguments: Window.allCases)
  func textBeyondTheWindowChangesNothing(_ window: Window) {
    let ahead = String(repeating: "遠い文。\n", count: 300)
    let text = "前の文。ここに書く。次の文。"
    for caret in 4...text.unicodeScalars.count {
      let near = window.snapshot(of: text, from: caret, to: caret, limit: 4)
      let far = window.snapshot(
        of: ahead + text, from: caret + ahead.unicodeScalars.count,
        to: caret + ahead.unicodeScalars.count, limit: 4)
      #expect(near == far, "\(drawn(near)), with text ahead \(drawn(far))")
    }
  }

  @Test(arguments: Window.allCases)
  func composedAndDecomposedDiffer(_ window: Window) {
    let composed = Snapshot(before: "この\u{304C}", after: "ある")
    let decomposed = Snapshot(before: "この\u{304B}\u{3099}", after: "ある")
    let there = Classifier().classify(
      Observation(old: composed, new: decomposed, evidence: Evidence(window: window)))
    let back = Classifier().classify(
      Observation(old: decomposed, new: composed, evidence: Evidence(window: window)))
    #expect(there.kind == .replacement, "\(drawn(there))")
    #expect(back.kind == .replacement, "\(drawn(back))")
    #expect(there.basicKind == .outOfRangeTap)
  }

  /// Quadratic work on this many characters would take hours.
  @Test(.timeLimit(.minutes(10)), arguments: Window.allCases)
  func manyEqualCharactersFinish(_ window: Window) {
    let run = String(repeating: "a", count: 600_000)
    let half = String(repeating: "a", count: 300_000)
    let pairs: [(Snapshot, Snapshot)] = [
      (Snapshot(before: run, after: half), Snapshot(before: half, after: run)),
      (Snapshot(before: run), Snapshot(before: run + "a")),
      (Snapshot(before: run), Snapshot(before: half)),
      (Snapshot(before: half, after: run), Snapshot(before: run + "b", after: half)),
      (Snapshot(before: run + "b" + half), Snapshot(before: half + "b" + run, after: run)),
      (Snapshot(before: half, selected: half, after: run), Snapshot(before: half, after: run)),
      (Snapshot(before: half + "か", after: "\u{3099}" + run), Snapshot(before: half, after: run)),
    ]
    let classifier = Classifier()
    var session = Session()
    for (old, new) in pairs {
      _ = classifier.classify(Observation(old: old, new: new, evidence: Evidence(window: window)))
      _ = classifier.classify(
        Observation(old: old, new: new, pasteboard: half, evidence: Evidence(window: window)))
      _ = session.post(old: old, new: new, evidence: Evidence(window: window), with: classifier)
    }
  }

  /// A selection given up where every line, or every character, begins a place for the caret.
  @Test(.timeLimit(.minutes(10)), arguments: Window.allCases)
  func manyEqualLinesFinish(_ window: Window) {
    let classifier = Classifier()
    for line in ["。", "？", "a\n"] {
      let text = String(repeating: line, count: (1 << 20) / line.utf8.count)
      for end in ["", "b", "。", "\n"] {
        let pair = Observation(
          old: Snapshot(selected: text), new: Snapshot(after: text + end),
          evidence: Evidence(window: window))
        #expect(classifier.classify(pair).kind != .unchanged)
      }
    }
  }
}
