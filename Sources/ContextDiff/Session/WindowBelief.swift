/// By which rule a host cuts its text, as far as its pairs tell.
///
/// Each pair is likelier under one rule than under another; a session adds that up until it is settled,
/// and costs nothing any more then.
struct WindowBelief: Sendable {
  /// How likely the pairs so far are under each rule, as binary logarithms, in the order of `rules`.
  private var bits = WindowBelief.start
  private(set) var pairs = 0
  /// What was told, if it leaves anything open.
  private(set) var told: Window?

  static let rules: [Window] = [.sentence, .paragraph, .line, .full]
  /// A rule not told is `sentence`, as for a single pair, where nothing speaks against it.
  private static let start = [2.0, 0, 0, 0]
  /// What was told as `full` is a plain cut; a line at a time is one, too.
  private static let startOfFull = [-64.0, -64, -3, 0]
  /// How much one pair may say.
  private static let limit = 12.0
  /// When it is settled: after so many pairs, and so many bits, or many more pairs.
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
    if pairs >= WindowBelief.mostPairs { return true }
    var best = 0
    for index in bits.indices where bits[index] > bits[best] { best = index }
    for index in bits.indices
    where index != best && bits[best] - bits[index] < WindowBelief.leastBits {
      return false
    }
    return true
  }

  init() {}

  /// What a session has learnt that was put away meanwhile.
  init(learnt window: Window) {
    self.window = window
    pairs = WindowBelief.mostPairs
  }

  /// Takes `window` as told, and returns the rule to read a pair by that leads to `new`.
  mutating func take(_ window: Window?, showing new: Fields) -> Window {
    guard let told = window else {
      exclude(new)
      return self.window
    }
    if told != .full { return told }
    if self.told != .full {
      self = WindowBelief()
      self.told = .full
      bits = WindowBelief.startOfFull
      self.window = .full
    }
    exclude(new)
    return self.window
  }

  /// Goes over to another rule, for good, where `fields` shows a line break that the one so far never
  /// shows, however much was learnt: who types at a text's end shows all hosts alike for long.
  private mutating func exclude(_ fields: Fields) {
    guard !window.mayShowBreaks(of: fields) else { return }
    for (index, rule) in WindowBelief.rules.enumerated() where !rule.mayShowBreaks(of: fields) {
      bits[index] = -.infinity
    }
    window = likeliest
  }

  /// Adds what a pair says; goes over to another rule only if `mayTurn`, for what was announced was cut
  /// by the one so far.
  mutating func observe(
    _ observation: borrowing LentObservation, mayTurn: Bool, with classifier: Classifier
  ) {
    if isSettled || observation.merged { return }
    // But for the first, which says what such snapshots say of themselves. A line looks somewhat less
    // like this than a plain cut.
    if pairs > 0, told == nil, observation.editsCharacter(terminators: classifier.terminators) {
      return
    }
    var weights = InlineArray<4, Double>(repeating: -.infinity)
    var best = -Double.infinity
    for (index, window) in WindowBelief.rules.enumerated()
    where bits[index] >= -2 * WindowBelief.limit {
      let pair = Pair(
        observation, window: window, terminators: classifier.terminators,
        known: Known(observation.old, window: window, terminators: classifier.terminators))
      if pair.isUnchanged { return }
      let weight = Inference.verdict(on: pair) { verdict, _, _ in verdict.winner.weight }
      let isPossible =
        window.mayShow(observation.new, terminators: classifier.terminators)
        && window.mayShow(observation.old, terminators: classifier.terminators)
      weights[index] = isPossible ? weight : weight - WindowBelief.limit
      best = max(best, weights[index])
    }
    for index in bits.indices where weights[index] > -.infinity {
      bits[index] += max(weights[index] - best, -WindowBelief.limit)
    }
    pairs += 1
    if mayTurn { turn() }
  }

  private mutating func turn() {
    // What was told leaves little to choose.
    let (leastPairs, leastBits) =
      told == nil ? (WindowBelief.turningPairs, WindowBelief.turningBits) : (1, 1)
    guard pairs >= leastPairs, bits(of: likeliest) - bits(of: window) >= leastBits else { return }
    window = likeliest
  }

  /// The rule with the most bits; of several the first in the order of `rules`.
  private var likeliest: Window {
    WindowBelief.rules.dropFirst().reduce(WindowBelief.rules[0]) { best, rule in
      bits(of: rule) > bits(of: best) ? rule : best
    }
  }

  private func bits(of window: Window) -> Double {
    zip(WindowBelief.rules, bits).first { $0.0 == window }?.1 ?? -.infinity
  }
}

extension LentObservation {
  /// Whether one character came or went left of the caret within a sentence: every window shows that
  /// alike.
  fileprivate func editsCharacter(terminators: Terminators) -> Bool {
    let (before, seen) = (old.before.bytes, new.before.bytes)
    guard !before.isEmpty, !seen.isEmpty, old.after == new.after, old.selected.isEmpty,
      new.selected.isEmpty
    else { return false }
    let (short, long) = before.count < seen.count ? (before, seen) : (seen, before)
    let character = long.dropFirst(short.count)
    return character.isOneGrapheme && !character.isLineBreak
      && !terminators.contains(character.lastScalar) && !terminators.contains(short.lastScalar)
      && long.hasPrefix(short)
  }
}

extension Window {
  /// Whether a host with this rule shows line breaks where `fields` has them.
  ///
  /// A host of lines shows their neighbour at most (GTK 3 the next line at a line's end, Firefox the one
  /// above at its start).
  fileprivate func mayShowBreaks(of fields: Fields) -> Bool {
    let before = fields.before.bytes
    let after = fields.after.bytes
    switch self {
    case .full: return true
    case .paragraph: return !after.holdsLineBreak
    case .sentence:
      return !after.holdsLineBreak && (!before.holdsLineBreak || before == .newline)
    case .line:
      return !before.dropLast(min(1, before.count)).holdsLineBreak
        && !after.dropFirst(min(1, after.count)).holdsLineBreak
    }
  }

  /// Whether a host with this rule shows such a snapshot at all.
  fileprivate func mayShow(_ fields: Fields, terminators: Terminators) -> Bool {
    let before = fields.before.bytes
    let after = fields.after.bytes
    switch self {
    case .full: return true
    case .paragraph: return !after.holdsLineBreak
    case .line: return !after.holdsLineBreak && !before.holdsLineBreak
    case .sentence:
      if after.holdsLineBreak || before.holdsLineBreak && before != .newline { return false }
      return shownLeft(of: before, terminators: terminators).bytes.count == before.count
        && shownRight(of: after, terminators: terminators).bytes.count == after.count
    }
  }
}
