/// By which rule a host cuts its text, as far as its pairs tell.
///
/// Each pair is likelier under one rule than under another; a session adds that up until it is settled,
/// and costs nothing any more then.
struct WindowBelief: Sendable {
  /// How likely the pairs so far are under each rule, as binary logarithms, by `Window.place`.
  private(set) var bits = WindowBelief.start
  private(set) var pairs = 0
  /// How many of them tell one rule from another.
  private(set) var tellingPairs = 0
  /// Whether the snapshot observed last shows one sentence at most on each side of the caret.
  private(set) var isOneSentence = false
  /// Whether the host was seen to show a selection.
  private(set) var showsSelections = false
  /// What was told, if it leaves anything open.
  private(set) var told: Window?

  /// A rule not told is `sentence`, as for a single pair, where nothing speaks against it.
  private static let start = SIMD4(2.0, 0, 0, 0)
  /// What was told as `full` is a plain cut; a line at a time is one, too.
  ///
  /// Most toolkits on Linux show that (GTK 3, Qt, Firefox). A chat of single lines looks the same by both,
  /// and keeps what was told.
  private static let startOfFull = SIMD4(-64.0, -64, -0.5, 0)
  /// What it costs `full` that a short text is all another one; this and `unseenLines` by trial on recordings of
  /// hosts (docs/Architecture.md, Weights).
  private static let otherText = 6.0
  /// What a plain cut with a limit shows of a longer text at least, in bytes: Wayland's are of some 4,000.
  static let leastCut = 512
  /// What it costs `line` that several lines are shown, which may be an unseen selection's.
  private static let unseenLines = 3.0
  /// How much one pair may say.
  private static let limit = 12.0
  /// When it is settled: after so many pairs, and so many bits, or so many pairs that tell.
  private static let leastPairs = 10
  private static let mostPairs = 32
  private static let leastBits = 8.0
  /// When the session goes over to another rule.
  private static let turningPairs = 3
  private static let turningBits = 4.0

  /// The rule to read by: the likeliest, once it leads by enough.
  private(set) var window = Window.sentence

  /// Whether anything was learnt.
  var isLearnt: Bool { pairs >= WindowBelief.leastPairs }

  /// Whether further pairs are not asked.
  var isSettled: Bool {
    guard pairs >= WindowBelief.leastPairs else { return false }
    if tellingPairs >= WindowBelief.mostPairs { return true }
    let behind = bits.max() - bits
    return behind.indices.count { behind[$0] < WindowBelief.leastBits } == 1
  }

  /// Takes `window` as told; what was told as `full` leaves open whether it is a line at a time.
  mutating func take(_ window: Window?) {
    guard window == .full, told != .full else { return }
    self = WindowBelief()
    told = .full
    bits = WindowBelief.startOfFull
    self.window = .full
  }

  /// Goes over to another rule where a snapshot has `breaks` that the one so far does not show,
  /// however much was learnt: who types at a text's end shows all hosts alike for long.
  private mutating func exclude(_ breaks: LineBreaks) {
    if window.mayShow(breaks) { return }
    for rule in Window.allCases where !rule.mayShow(breaks) {
      bits[rule.place] -= 2 * cost(of: breaks, by: rule)
    }
    window = likeliest
  }

  /// What it costs a rule that a snapshot has `breaks` which it does not show.
  ///
  /// A host of lines that was never seen to show a selection may show the lines of one.
  private func cost(of breaks: LineBreaks, by rule: Window) -> Double {
    rule == .line && !showsSelections && !breaks.within.before
      ? WindowBelief.unseenLines : WindowBelief.limit
  }

  /// Observes a character typed where the last pair ended, which looks alike under each rule.
  ///
  /// - Returns: Whether that is all; where several sentences or lines are shown, each pair speaks against a rule.
  mutating func observeKeystroke(mayTurn: Bool) -> Bool {
    guard isOneSentence, told == nil, !isSettled else { return false }
    pairs += 1
    if mayTurn { turn() }
    return true
  }

  /// Takes note that a pair goes by that is not observed.
  mutating func skip() { isOneSentence = false }

  /// Adds what a pair says, and goes over to another rule where that is the likelier one by now; not if
  /// `mayTurn` is false, for what was announced was cut by the one so far.
  ///
  /// Where the pair `goesOn` from the one observed last, only what changed is looked at for where its
  /// sentences end. A state that comes back along `trail` says nothing where no key rules an undo out: that
  /// explains it by each rule.
  mutating func observe(
    _ observation: borrowing LentObservation, goesOn: Bool, mayTurn: Bool, along trail: Trail,
    with classifier: Classifier
  ) {
    if !observation.new.selected.isEmpty { showsSelections = true }
    let wasOneSentence = goesOn && isOneSentence
    isOneSentence = false
    let breaks = window == .full ? nil : LineBreaks(of: observation.new)
    if let breaks { exclude(breaks) }
    if isSettled || observation.evidence.merged { return }
    let shown = breaks ?? LineBreaks(of: observation.new)
    // Of what was told as `full`, no sentence is left to choose.
    isOneSentence =
      told == nil && Window.sentence.mayShow(shown)
      && observation.showsOneSentence(classifier.terminators, didBefore: wasOneSentence)
    for rule in Window.allCases
    where rule == .sentence ? !isOneSentence : !rule.mayShow(shown) {
      bits[rule.place] -= cost(of: shown, by: rule)
    }
    if observation.old == observation.new { return }
    pairs += 1
    let mayBeUndone = observation.evidence.key?.mayRetrace ?? true
    if !observation.showsSameCut,
      !mayBeUndone || trail.retracing(to: observation.new.state) == nil
    {
      if observation.leavesText { bits[Window.full.place] -= WindowBelief.otherText }
      // Where both sides changed, a jump or an undo, all may be shown by a plain cut as by a line.
      let isJump = told == .full && observation.changesBothSides
      if !isJump { weigh(observation, with: classifier) }
    }
    if mayTurn { turn() }
  }

  /// Adds how likely the pair is under each rule.
  private mutating func weigh(
    _ observation: borrowing LentObservation, with classifier: Classifier
  ) {
    var weights = SIMD4(repeating: -Double.infinity)
    let heaviest = bits.max()
    for window in Window.allCases
    where bits[window.place] >= heaviest - 2 * WindowBelief.limit {
      let pair = Pair(
        observation, window: window, terminators: classifier.terminators,
        known: Known(observation.old, window: window, terminators: classifier.terminators))
      weights[window.place] = Inference.verdict(on: pair) { verdict, _, _ in verdict.winner.weight }
    }
    let best = weights.max()
    for index in bits.indices where weights[index] > -.infinity {
      bits[index] += max(weights[index] - best, -WindowBelief.limit)
    }
    tellingPairs += 1
  }

  private mutating func turn() {
    // What was told leaves little to choose.
    let (leastPairs, leastBits) =
      told == nil ? (WindowBelief.turningPairs, WindowBelief.turningBits) : (1, 1)
    if pairs >= leastPairs, bits.max() - bits[window.place] >= leastBits { window = likeliest }
  }

  /// The rule with the most bits; of several the first.
  private var likeliest: Window {
    let most = bits.max()
    return Window.allCases.first { bits[$0.place] == most } ?? window
  }
}

extension LentObservation {
  fileprivate var changesBothSides: Bool {
    !(old.before == new.before) && !(old.after == new.after)
  }

  /// Whether nothing at the ends of the text is as it was, and it is too short to have been cut.
  fileprivate var leavesText: Bool {
    let (old, new) = (old.all, new.all)
    return max(old.count, new.count) < WindowBelief.leastCut && !old.isEmpty && !new.isEmpty
      && old.scalar(after: 0) != new.scalar(after: 0)
      && old.scalar(before: old.count) != new.scalar(before: new.count)
  }

  /// Whether both snapshots begin and end with the same text, so that they look alike under each rule, or
  /// one shows nothing: a field that was sent, or an empty line.
  fileprivate var showsSameCut: Bool {
    if old.isBlank || new.isBlank { return evidence.key == nil }
    let (left, right) = (old.before.bytes, new.before.bytes)
    guard left.commonPrefix(right) > 0, old.after.isShown == new.after.isShown else { return false }
    if old.after == new.after { return true }
    let (after, nextAfter) = (old.after.bytes, new.after.bytes)
    return after.commonSuffix(nextAfter) > 0
  }

  /// Whether no sentence ends within `before` or `after` of the new snapshot but at the end of it;
  /// `didBefore` says that none does in the old one.
  fileprivate func showsOneSentence(_ terminators: Terminators, didBefore: Bool) -> Bool {
    var before = new.before.bytes
    var after = new.after.bytes
    // A newline alone is all that is shown at a line's start.
    if before == .newline { before = .empty }
    if didBefore {
      // What stayed, but for the scalar next to what changed.
      let start = before.scalarStart(atOrBefore: old.before.bytes.commonPrefix(before))
      before = before.dropFirst(start - before.prefix(start).lastScalarLength)
      let end = after.scalarStart(atOrAfter: after.count - old.after.bytes.commonSuffix(after))
      after = after.prefix(end + after.dropFirst(end).firstScalarLength)
    }
    return !before.isSentenceEnded(by: terminators) && !after.isSentenceEnded(by: terminators)
  }
}

extension Bytes {
  /// Whether one of `terminators` is followed by something else.
  fileprivate func isSentenceEnded(by terminators: Terminators) -> Bool {
    var start = 0
    while start < count {
      // Kana and ideographs have three bytes: four at a time, as long as one follows them.
      while start < count &- 12,
        !terminators.mayContain(
          oneOfFour: (
            UInt64(littleEndian: word(start)),
            UInt32(littleEndian: load(start &+ 8, as: UInt32.self))
          ))
      {
        start &+= 12
      }
      let end = start &+ Bytes.scalarLength(of: self[start])
      if end >= count { return false }
      if terminators.mayContain(endingWith: self[end &- 1]) {
        let rest = dropFirst(end)
        if terminators.contains(dropFirst(start).firstScalar),
          !terminators.contains(rest.firstScalar)
        {
          return true
        }
      }
      start = end
    }
    return false
  }
}

/// Where a snapshot shows line breaks.
private struct LineBreaks {
  /// Whether there are any in `before`, or in `after`, away from the caret.
  let within: (before: Bool, after: Bool)
  /// Whether there is one next to the caret.
  let atCaret: (before: Bool, after: Bool)
  /// Whether `before` is a newline alone.
  let isNewlineAlone: Bool
  /// Whether the host never shows a selection.
  let hidesSelection: Bool

  /// - Complexity: Linear in the fields.
  init(of fields: Fields) {
    let before = fields.before.bytes
    let after = fields.after.bytes
    within = (
      before.dropLast(min(1, before.count)).holdsLineBreak,
      after.dropFirst(min(1, after.count)).holdsLineBreak
    )
    atCaret = (before.last == .newline, after.first == .newline)
    isNewlineAlone = before == .newline
    hidesSelection = fields.selectionShown == false
  }
}

extension Window {
  /// Its place in `allCases`.
  var place: Int {
    switch self {
    case .sentence: 0
    case .paragraph: 1
    case .line: 2
    case .full: 3
    }
  }

  /// Whether a host with this rule shows line breaks where `breaks` has them.
  ///
  /// A host of lines shows their neighbour at most (GTK 3 the next line at a line's end, Firefox the one
  /// above at its start); one that never shows a selection shows all the lines of that.
  fileprivate func mayShow(_ breaks: LineBreaks) -> Bool {
    let isBehind = breaks.within.after || breaks.atCaret.after
    return switch self {
    case .full: true
    case .paragraph: !isBehind
    case .sentence:
      !isBehind && (!breaks.within.before && !breaks.atCaret.before || breaks.isNewlineAlone)
    case .line: !breaks.within.before && (breaks.hidesSelection || !breaks.within.after)
    }
  }
}
