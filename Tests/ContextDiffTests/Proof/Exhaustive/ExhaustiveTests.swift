import ContextDiff
import Testing

/// The model's part 4, in the small: every document, caret, selection and deed.
@Suite struct ExhaustiveTests {
  /// The scopes, for every window, with and without a pasteboard.
  ///
  /// Pasted are a few letters, or with `pastingSentences` text that a window does not show whole.
  static func scopes(
    _ convention: Convention = Convention(), shorterBy cut: Int = 0, pastingSentences: Bool = false
  ) -> [Scope] {
    Window.asserted.flatMap { window in
      [false, true].flatMap { known in
        [
          Scope(
            "a。⏎", "a。\n", length: 5 - cut, window: window,
            pasteboards: pastingSentences ? ["a", "a。", "\na"] : ["a", "aa", "a。"],
            pasteboardIsKnown: known, convention: convention),
          Scope(
            "aか゛😀⏎", "aか\u{3099}😀\n", length: 4 - cut, window: window,
            pasteboards: pastingSentences ? ["か", "か\u{3099}", "a\n"] : ["か", "か\u{3099}", "aか"],
            pasteboardIsKnown: known, convention: convention),
          Scope(
            "ab?␣", "ab? ", length: 4 - cut, window: window,
            pasteboards: pastingSentences ? ["a", "b ", "a? b"] : ["a", "b ", "ab"],
            pasteboardIsKnown: known, convention: convention),
        ]
      }
    }
  }

  private static let all = scopes()

  @Test(arguments: all.indices)
  func asRightAsAnyEngine(_ index: Int) {
    let scope = Self.all[index]
    let pairs = scope.pairs()
    let card = Scorecard(pairs, host: scope.host) { Classifier().classify($0) }
    print(card.line(scope.title))
    if Report.isLong { report(card, Ambiguity(pairs)) }
    let threshold = scope.name == "a。⏎" ? 0.975 : 0.985
    #expect(
      card.ratio >= threshold,
      "\(scope.title):\n\(card.heaviest(card.wrong, 20).joined(separator: "\n"))")
    #expect(
      card.falselyCertain == 0,
      "\(card.heaviest(card.overconfident, 20).joined(separator: "\n"))")
    #expect(card.basicWrong.isEmpty, "\(card.basicWrong.prefix(10).joined(separator: "\n"))")
  }

  private func report(_ card: Scorecard, _ ambiguity: Ambiguity) {
    let parts: [(String, [String])] = [
      ("confusions", card.confusions()),
      ("wrong", card.heaviest(card.wrong, Report.length)),
      ("certain, though others agree", card.heaviest(card.overconfident, Report.length / 2)),
      ("likely, though no other agrees", card.heaviest(card.needless, Report.length / 2)),
      ("true kind not named", card.heaviest(card.unnamed, Report.length / 2)),
      ("what no engine can tell apart", ambiguity.lines(8, examples: 3)),
    ]
    for (title, lines) in parts {
      print(" \(title):")
      for line in lines { print(line) }
    }
  }

  /// Other readings of what the model leaves open, over documents one shorter, with what is reached of the
  /// best possible.
  private static let conventions: [(name: String, Convention, least: Double)] = [
    ("newline above not visible", Convention(newlineIsVisible: false), 0.96),
    ("paragraph sees its line", Convention(paragraphSeesLine: true), 0.953),
    (
      "line alone, newline not visible",
      Convention(newlineIsVisible: false, paragraphSeesLine: true), 0.945
    ),
    ("an empty line counts", Convention(emptyLineCounts: true), 0.97),
    ("erases graphemes", Convention(erases: .grapheme), 0.97),
    ("graphemes throughout", Convention(carets: .grapheme, erases: .grapheme), 0.97),
  ]

  @Test func asRightWherePastesHoldSentences() {
    for scope in Self.scopes(shorterBy: Report.isLong ? 0 : 1, pastingSentences: true) {
      let card = Scorecard(scope.pairs(), host: scope.host) { Classifier().classify($0) }
      print(card.line("\(scope.title) (sentences pasted)"))
      #expect(card.ratio >= 0.965, "\(scope.title)")
    }
  }

  @Test(arguments: conventions.indices)
  func asRightUnderOtherConventions(_ index: Int) {
    let (name, convention, least) = Self.conventions[index]
    for scope in Self.scopes(convention, shorterBy: Report.isLong ? 0 : 1) {
      let card = Scorecard(scope.pairs(), host: scope.host) { Classifier().classify($0) }
      print(card.line("\(scope.title) (\(name))"))
      #expect(card.ratio >= least, "\(scope.title)")
    }
  }

  /// The model's 3b besides, over the scopes of its part 4.
  private static let everyEdit: [(scope: Scope, least: Double)] =
    Window.asserted.flatMap { window in
      [
        (
          Scope(
            "a。⏎", "a。\n", length: 4, window: window, pasteboards: ["a", "aa", "a。"],
            pasteboardIsKnown: false, hasEveryEdit: true), window == .full ? 0.975 : 0.971
        ),
        (
          Scope(
            "ab␣", "ab ", length: 4, window: window, pasteboards: ["a", "b ", "ab"],
            pasteboardIsKnown: false, hasEveryEdit: true), 0.975
        ),
      ]
    } + [
      (
        Scope(
          "ab⏎", "ab\n", length: 4, window: .line, pasteboards: ["a", "aa", "b\n"],
          pasteboardIsKnown: false, hasEveryEdit: true), 0.955
      )
    ]

  @Test(arguments: everyEdit.indices)
  func asRightAsAnyEngineOnEveryEdit(_ index: Int) {
    let (scope, least) = Self.everyEdit[index]
    let pairs = scope.pairs()
    let card = Scorecard(pairs, host: scope.host) { Classifier().classify($0) }
    print(card.line(scope.title))
    if Report.isLong { report(card, Ambiguity(pairs)) }
    #expect(
      card.ratio >= least,
      "\(scope.title):\n\(card.heaviest(card.wrong, 20).joined(separator: "\n"))")
    #expect(
      card.falselyCertain <= 0.02,
      "\(card.heaviest(card.overconfident, 20).joined(separator: "\n"))")
    #expect(
      card.unnamedShare <= 0.03, "\(card.heaviest(card.unnamed, 20).joined(separator: "\n"))")
    #expect(card.basicWrong.isEmpty, "\(card.basicWrong.prefix(10).joined(separator: "\n"))")
  }
}
