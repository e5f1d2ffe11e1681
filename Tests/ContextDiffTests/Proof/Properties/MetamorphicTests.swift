import ContextDiff
import Testing

/// What must hold between the readings of pairs that belong together.
@Suite struct MetamorphicTests {
  private let classifier = Classifier()

  private func read(_ old: Shown, _ new: Shown, _ window: Window) -> Transition {
    classifier.classify(Observation(old: old.snapshot, new: new.snapshot, window: window))
  }

  /// Pairs over a window that is alike on its two sides.
  private static let symmetric = Scope(
    "", "ab ", length: 4, window: .full, pasteboards: ["ab"], pasteboardIsKnown: false
  ).pairs()

  private func mirrored(_ shown: Shown) -> Shown {
    Shown(
      before: shown.after.map { $0.reversed() }, selected: shown.selected.map { $0.reversed() },
      after: shown.before.map { $0.reversed() })
  }

  @Test func aMirrorImageReadsAlikeUnlessTextWasPutIn() {
    let same: Set<Kind> = [
      .unchanged, .cursorMove, .selection, .deselection, .cut, .deletion, .submission, .windowShift,
    ]
    var differing: [String] = []
    for pair in Self.symmetric {
      let plain = read(pair.old, pair.new, .full)
      guard same.contains(plain.kind), pair.weights[plain.kind.index] > pair.total * 0.9 else {
        continue
      }
      let mirror = read(mirrored(pair.old), mirrored(pair.new), .full)
      if mirror.kind != plain.kind
        || mirror.cursorOffset?.scalars != (plain.cursorOffset?.scalars).map({ -$0 })
      {
        differing.append(
          "\(pair.drawing): \(drawn(plain)) by \(String(describing: plain.cursorOffset?.scalars)); "
            + "mirrored \(drawn(mirror)) by \(String(describing: mirror.cursorOffset?.scalars))")
      }
    }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(10).joined(separator: "\n"))")
  }

  @Test func insertionSwappedIsDeletion() {
    var differing: [String] = []
    for window in Window.allCases {
      let scope = Scope(
        "", "ab。\n", length: 4, window: window, pasteboards: ["ab"], pasteboardIsKnown: false)
      for pair in scope.pairs() {
        // Where inserting is what it is by far; at its swap a tap elsewhere must not agree better.
        guard pair.weights[Kind.insertion.index] > pair.total * 0.9 else { continue }
        let there = read(pair.old, pair.new, window)
        let back = read(pair.new, pair.old, window)
        guard there.kind == .insertion, there.inserted != nil, !there.isPartial else { continue }
        let isAll = pair.old.all.isEmpty && (pair.new.before ?? []).count > 1
        if back.kind != .deletion, !(isAll && back.kind == .submission) {
          differing.append(
            "\(window.rawValue) \(pair.drawing): \(drawn(there)); back: \(drawn(back))")
        } else if back.kind == .deletion, back.removed != there.inserted {
          differing.append(
            "\(window.rawValue) \(pair.drawing): inserted \(drawn(there.inserted)), "
              + "back removed \(drawn(back.removed))")
        }
      }
    }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(10).joined(separator: "\n"))")
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
    let there = classifier.classify(
      Observation(old: composed, new: decomposed, window: window))
    let back = classifier.classify(
      Observation(old: decomposed, new: composed, window: window))
    #expect(there.kind == .replacement, "\(drawn(there))")
    #expect(back.kind == .replacement, "\(drawn(back))")
    #expect(there.basicKind == .outOfRangeTap)
  }

  /// Quadratic work on this many characters would take hours.
  @Test(.timeLimit(.minutes(1)), arguments: Window.allCases)
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
    var session = Session()
    for (old, new) in pairs {
      _ = classifier.classify(Observation(old: old, new: new, window: window))
      _ = classifier.classify(Observation(old: old, new: new, window: window, pasteboard: half))
      _ = session.post(old: old, new: new, window: window, with: classifier)
    }
    #expect(session.latest != nil)
  }
}
