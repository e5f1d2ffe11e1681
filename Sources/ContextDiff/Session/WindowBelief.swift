/// By which window a host cuts its text, as far as its pairs tell.
///
/// A pair is likelier by one window than by another; their weights are added up until one window leads by enough.
struct WindowBelief: Sendable {
  /// How likely the pairs so far are by each window, as binary logarithms, at `Window.slot`.
  private(set) var bits = Measured.windowUntold
  /// How many pairs changed something.
  private(set) var pairs = 0
  /// How many of these pairs were weighed, because they may tell one window from another.
  private(set) var tellingPairs = 0
  /// Whether the last snapshot shows at most one sentence on each side of the caret; `false` if it was not observed.
  private(set) var isOneSentence = false
  /// Whether the host has shown a selection.
  private(set) var showsSelections = false
  /// `full`, if that was given as evidence; other windows leave nothing to learn.
  private(set) var told: Window?

  /// The window to read by.
  private(set) var window = Window.sentence

  /// Whether `window` has been learnt.
  var isLearnt: Bool { pairs >= Measured.windowPairs }

  /// Whether further pairs are not weighed.
  @inline(__always) var isSettled: Bool {
    guard isLearnt else { return false }
    if tellingPairs >= Measured.windowTelling { return true }
    if told == .full, tellingPairs < Measured.windowTellingOfFull { return false }
    let behind = bits.max() - bits
    return behind.indices.count { behind[$0] < Measured.windowSettled } == 1
  }

  /// Whether `line` is not the window now, but further pairs may show that it is.
  var mayTurnToLine: Bool { window != .line && !isSettled && admitsLine }

  /// Whether no pair has shown yet that `line` is not the window.
  var admitsLine: Bool { bits[window.slot] - bits[Window.line.slot] < Measured.windowSettled }

  /// Begins anew when `full` is given as evidence, which leaves open whether the host shows a line at a time.
  mutating func take(_ window: Window?) {
    guard window == .full, told != .full else { return }
    self = WindowBelief()
    told = .full
    bits = Measured.windowOfFull
    self.window = .full
  }

  /// Changes the window where it cannot show a snapshot with `breaks`, however much was learnt: while the user types at
  /// a text's end, all windows look alike.
  private mutating func exclude(_ breaks: LineBreaks) {
    if window.mayShow(breaks) { return }
    for rule in Window.allCases where !rule.mayShow(breaks) {
      bits[rule.slot] -= Measured.windowExcluding * cost(of: breaks, by: rule)
    }
    window = likeliest
  }

  /// The bits that `rule` loses by a snapshot with `breaks`, which it cannot show.
  ///
  /// A host of lines that has never shown a selection may show the lines of one.
  private func cost(of breaks: LineBreaks, by rule: Window) -> Double {
    rule == .line && !showsSelections && !breaks.within.before
      ? Measured.windowUnseenLines : Measured.windowMost
  }

  /// Observes a character typed at the last snapshot's caret, which looks alike by each window.
  ///
  /// - Returns: `false`, with nothing done, where `observe` is needed: if several sentences or lines are shown, each
  ///   pair speaks against a window.
  mutating func observeKeystroke() -> Bool {
    guard isOneSentence, !isSettled else { return false }
    pairs += 1
    return true
  }

  /// Passes over a pair, whose window is told.
  mutating func skip() { isOneSentence = false }

  /// Adds what a pair says, and changes the window if another is likelier by enough.
  ///
  /// If the pair `goesOn` from the last snapshot, the ends of sentences are looked for only in what changed. A pair
  /// that `returns` to a snapshot seen lately is weighed only if the key rules out an undo: by each window an undo
  /// explains it. One that `isKeystroke` looks alike by each window, and is not looked at for that.
  mutating func observe(
    _ observation: borrowing LentObservation, isKeystroke: Bool, goesOn: Bool,
    returns: @autoclosure () -> Bool, with classifier: Classifier
  ) {
    // A snapshot told again says nothing more.
    let isSame = !isKeystroke && observation.old.showsSameTexts(as: observation.new)
    if goesOn, isSame { return }
    if !observation.new.selected.isEmpty { showsSelections = true }
    let wasOneSentence = goesOn && isOneSentence
    isOneSentence = false
    let breaks = window == .full ? nil : LineBreaks(of: observation.new)
    if let breaks { exclude(breaks) }
    if isSettled || observation.evidence.merged { return }
    defer { turn() }
    let shown = breaks ?? LineBreaks(of: observation.new)
    // Where `full` was given as evidence, `sentence` is out of the question.
    isOneSentence =
      told == nil && Window.sentence.mayShow(shown)
      && observation.showsOneSentence(classifier.terminators, didBefore: wasOneSentence)
    for rule in Window.allCases
    where rule == .sentence ? !isOneSentence : !rule.mayShow(shown) {
      bits[rule.slot] -= cost(of: shown, by: rule)
    }
    if isSame { return }
    pairs += 1
    if told == nil, shown.isNewlineAlone, !(observation.old.before == observation.new.before) {
      bits[Window.line.slot] -= Measured.windowNewlineAlone
    }
    let mayBeUndone = observation.evidence.key?.mayRetrace ?? true
    if !isKeystroke, !observation.showsSameCut, !mayBeUndone || !returns() {
      if observation.leavesText { bits[Window.full.slot] -= Measured.windowOtherText }
      // A jump or an undo, which changes both sides, looks alike by `full` and by `line`.
      let isJump = told == .full && observation.changesBothSides
      if !isJump { weigh(observation, with: classifier) }
    }
  }

  /// Adds how likely the pair is by each window.
  private mutating func weigh(
    _ observation: borrowing LentObservation, with classifier: Classifier
  ) {
    var weights = SIMD4(repeating: -Double.infinity)
    let heaviest = bits.max()
    for window in Window.allCases
    where bits[window.slot] >= heaviest + Measured.windowOut {
      let pair = Pair(
        observation, window: window, terminators: classifier.terminators,
        known: Known(observation.old, window: window, terminators: classifier.terminators))
      // Where nothing agrees by a window, it is as unlikely as can be; -∞ is for one that is not weighed.
      weights[window.slot] = Inference.verdict(on: pair) { verdict, _, _ in
        max(verdict.winner.weight, -.greatestFiniteMagnitude)
      }
    }
    let best = weights.max()
    for index in bits.indices where weights[index] > -.infinity {
      bits[index] += max(weights[index] - best, -Measured.windowMost)
    }
    tellingPairs += 1
  }

  /// Changes the window if another is likelier by enough.
  private mutating func turn() {
    let enough = told == nil ? Measured.windowTurns : Measured.windowTurnsOfFull
    if bits.max() - bits[window.slot] >= enough { window = likeliest }
  }

  /// The window with the most bits; of several the first in `allCases`.
  private var likeliest: Window {
    let most = bits.max()
    return Window.allCases.first { bits[$0.slot] == most } ?? window
  }
}

extension LentObservation {
  /// Whether the text changed on both sides of the caret.
  fileprivate var changesBothSides: Bool {
    !(old.before == new.before) && !(old.after == new.after)
  }

  /// Whether the text begins and ends with other scalars than before, and is too short to have been cut.
  fileprivate var leavesText: Bool {
    let (old, new) = (old.all, new.all)
    return max(old.count, new.count) < Measured.leastCut && !old.isEmpty && !new.isEmpty
      && old.scalar(after: 0) != new.scalar(after: 0)
      && old.scalar(before: old.count) != new.scalar(before: new.count)
  }

  /// Whether the pair looks alike by each window: both snapshots begin and end with the same text; or one is empty, as
  /// a field that was sent or an empty line is, and no key is known.
  fileprivate var showsSameCut: Bool {
    if old.isEmpty || new.isEmpty { return evidence.key == nil }
    return old.before.bytes.beginsWithSameScalar(as: new.before.bytes)
      && old.after.isShown == new.after.isShown
      && (old.after == new.after || old.after.bytes.endsWithSameScalar(as: new.after.bytes))
  }

  /// Whether neither `before` nor `after` of the new snapshot holds a sentence's end with text behind it; `didBefore`
  /// says that this holds for the old one.
  fileprivate func showsOneSentence(_ terminators: Terminators, didBefore: Bool) -> Bool {
    var before = new.before.bytes
    var after = new.after.bytes
    if didBefore {
      // Only what changed, and the scalar that stayed next to it.
      let start = before.commonStart(old.before.bytes)
      before = before.dropFirst(start - before.prefix(start).lastScalarLength)
      let end = after.count - after.commonEnd(old.after.bytes)
      after = after.prefix(end + after.dropFirst(end).firstScalarLength)
    }
    return !before.isSentenceEnded(by: terminators) && !after.isSentenceEnded(by: terminators)
  }
}

extension Window {
  /// Its place in `allCases`.
  var slot: Int {
    switch self {
    case .sentence: 0
    case .paragraph: 1
    case .line: 2
    case .full: 3
    }
  }
}
