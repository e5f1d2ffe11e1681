/// The histories that a document may have: two edits may look the same and leave the same text, while their undos lead
/// to different texts.
struct Beam: Sendable {
  /// A history, and how likely it is.
  struct Past: Sendable {
    var history = History()
    /// The last act, where that was an undo or a redo.
    var lastRetracing: Kind?
    /// Its likelihood in bits, as a binary logarithm: 0 for the likeliest history, less for others.
    var weight = 0.0

    /// Undoes or redoes what `way` says.
    mutating func retrace(_ way: Way) {
      history.retrace(way)
      lastRetracing = way.kind
    }
  }

  /// How many histories are kept at most.
  static let width = 4

  /// The histories, the likeliest first; there is always one.
  private(set) var pasts = [Past()]

  init() {}

  /// Restores `pasts`; fails where there are none, or more than `width`.
  init?(_ pasts: [Past]) {
    if pasts.isEmpty || pasts.count > Beam.width { return nil }
    self.pasts = pasts
  }

  /// The likeliest history.
  var history: History {
    _read { yield pasts[0].history }
    _modify { yield &pasts[0].history }
  }

  /// The last act by the likeliest history, where that was an undo or a redo.
  var lastRetracing: Kind? { pasts[0].lastRetracing }

  /// The memory in use, in bytes; what histories share counts for each.
  var heldBytes: Int { pasts.indices.reduce(0) { $0 + pasts[$1].history.heldBytes } }

  /// Whether, in a history that is nearly as likely as the likeliest, the last step is an erasure that ended at
  /// `caret` and may grow.
  func isErasing(at caret: Int) -> Bool {
    pasts.indices.contains {
      pasts[$0].weight > Measured.erasingHistory && pasts[$0].history.isErasing(at: caret)
    }
  }

  /// Goes on along `way` in the likeliest history alone.
  mutating func retrace(_ way: Way) {
    forgetOthers()
    pasts[0].retrace(way)
  }

  /// Drops all but the likeliest history.
  mutating func forgetOthers() {
    if pasts.count > 1 { pasts.removeLast(pasts.count - 1) }
    pasts[0].weight = 0
  }

  /// Drops all histories for one without steps, with no last act.
  mutating func forget() {
    forgetSteps()
    pasts[0].lastRetracing = nil
  }

  /// Drops all but the likeliest history, and keeps this one once for each last act that is likely by `weights`.
  mutating func start(after weights: Session.LastActWeights) {
    let best = max(weights.undo, weights.redo, weights.other)
    if !best.isFinite { return forgetOthers() }
    let history = history
    pasts = []
    for (last, weight) in [(nil, weights.other), (Kind.undo, weights.undo), (.redo, weights.redo)]
    where weight - best >= Measured.beam {
      pasts.append(Past(history: history, lastRetracing: last, weight: weight - best))
    }
    pasts.sort { $0.weight > $1.weight }
  }

  /// Drops all histories for one without steps; the last act stays.
  mutating func forgetSteps() {
    forgetOthers()
    pasts[0].history.forget()
  }

  /// Closes the last step of each history, because the caret went elsewhere; `isRetraced` says that the last act, an
  /// undo or a redo, may have moved the caret, and stays the last act.
  mutating func endRun(isRetraced: Bool = false) {
    for index in pasts.indices {
      pasts[index].history.endRun()
      if !isRetraced { pasts[index].lastRetracing = nil }
    }
  }

  /// Records an edit in each history.
  mutating func record(_ entry: History.Entry) {
    for index in pasts.indices {
      pasts[index].history.record(entry)
      pasts[index].lastRetracing = nil
    }
  }

  /// The weight of anything but an undo or a redo now, relative to its weight where the last act was neither, in bits.
  var elseShare: Double {
    if pasts[0].lastRetracing == nil { return 0 }
    return heaviest { Beam.elseShare(after: $0) }
  }

  /// The greatest weight of a history, each with what `share` adds for its last act: `nil` for one that was neither an undo
  /// nor a redo.
  func heaviest(adding share: (Kind?) -> Double) -> Double {
    pasts.indices.reduce(-.infinity) {
      max($0, pasts[$1].weight + share(pasts[$1].lastRetracing))
    }
  }

  private static func elseShare(after last: Kind?) -> Double {
    last == nil ? 0 : last == .undo ? Measured.elseAfterUndo : Measured.elseAfterRedo
  }

  /// Replaces the histories by those that follow from them: each of `ways` goes on from its own history, and `entry`,
  /// an edit of that `weight`, from every one.
  mutating func follow(_ ways: [Way], or entry: History.Entry?, _ weight: Double) {
    var next: [Past] = []
    if let entry {
      // `weight` holds a bonus for an erasure that goes on, which is due only in histories where one does.
      let goesOn =
        entry.inserted.isEmpty && entry.removed.isOneGrapheme && isErasing(at: entry.caret)
      for var past in pasts {
        if goesOn, !past.history.isErasing(at: entry.caret) {
          past.weight -= Measured.goingOn
        }
        past.history.record(entry)
        past.weight += weight + Beam.elseShare(after: past.lastRetracing)
        past.lastRetracing = nil
        next.append(past)
      }
    }
    for way in ways {
      guard let index = way.past else { continue }
      var past = pasts[index]
      past.retrace(way)
      past.weight = way.prior + way.weight
      next.append(past)
    }
    next.sort { $0.weight > $1.weight }
    guard let best = next.first?.weight else { return forget() }
    pasts = []
    for var past in next where pasts.count < Beam.width {
      past.weight -= best
      if past.weight < Measured.beam { break }
      if !pasts.contains(where: {
        $0.history == past.history && $0.lastRetracing == past.lastRetracing
      }) {
        pasts.append(past)
      }
    }
  }
}
