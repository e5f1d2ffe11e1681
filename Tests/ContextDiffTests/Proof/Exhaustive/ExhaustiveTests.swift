import ContextDiff
import Testing

/// The model's part 4, in the small: every document, caret, selection and deed.
@Suite struct ExhaustiveTests {
  /// The scopes of issue 3, for every window, with and without a pasteboard.
  static let scopes = worlds()

  static func worlds(_ convention: Convention = Convention()) -> [Scope] {
    Window.allCases.flatMap { window in
      [false, true].flatMap { known in
        [
          Scope(
            "a。⏎", "a。\n", length: 5, window: window, pasteboards: ["a", "a。", "\na"],
            pasteboardIsKnown: known, convention: convention),
          Scope(
            "aか゛😀⏎", "aか\u{3099}😀\n", length: 4, window: window,
            pasteboards: ["か", "か\u{3099}", "a\n"], pasteboardIsKnown: known,
            convention: convention),
          Scope(
            "ab?␣", "ab? ", length: 4, window: window, pasteboards: ["a", "b ", "a? b"],
            pasteboardIsKnown: known, convention: convention),
        ]
      }
    }
  }

  @Test(arguments: scopes.indices)
  func asRightAsAnyEngine(_ index: Int) {
    let scope = Self.scopes[index]
    let pairs = scope.pairs()
    let card = Scorecard(pairs, host: scope.host) { observation in
      basicOnly(observation)
    }
    print(card.line(scope.title), pairs.count)
    if Report.isLong {
      print("price of faith")
      for line in Ambiguity.priceOfFaith(pairs, host: scope.host) { print(line) }
      for line in Ambiguity(pairs).lines(12, examples: 4) { print(line) }
    }
  }
}

func basicOnly(_ o: Observation) -> Transition {
  func shown(_ s: Snapshot) -> Shown {
    Shown(before: s.before.map { Array($0.unicodeScalars) }, selected: s.selected.map { Array($0.unicodeScalars) }, after: s.after.map { Array($0.unicodeScalars) })
  }
  let k = PublishedList.kind(shown(o.old), shown(o.new), window: o.window, pasteboard: o.pasteboard.map { Array($0.unicodeScalars) })
  return Transition(kind: k, basicKind: k)
}
