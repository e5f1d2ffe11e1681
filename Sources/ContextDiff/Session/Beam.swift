/// The histories that a document may have had, where what was done looks like two things: the text is the
/// same, and what an undo leads to is not.
struct Beam: Sendable {
  /// One of them.
  struct Past: Sendable {
    var history = History()
    /// What was done last, where it was an undo or a redo.
    var lastRetracing: Kind?
    /// How likely it is, as a binary logarithm; 0 for the likeliest.
    var weight = 0.0
  }

  /// How many are gone on with at most.
  static let width = 4

  /// The likeliest first; there is always one.
  private(set) var pasts = [Past()]

  init() {}

  /// `nil` where there are none, or too many.
  init?(_ pasts: [Past]) {
    if pasts.isEmpty || pasts.count > Beam.width { return nil }
    self.pasts = pasts
  }

  /// The likeliest history.
  var history: History {
    _read { yield pasts[0].history }
    _modify { yield &pasts[0].history }
  }

  /// What was done last by it, where that was an undo or a redo; to set it says so of all of them.
  var lastRetracing: Kind? {
    get { pasts[0].lastRetracing }
    set { for index in pasts.indices { pasts[index].lastRetracing = newValue } }
  }

  /// How much they hold, in bytes; what several have in common counts for each.
  var heldBytes: Int {
    var count = 0
    for index in pasts.indices { count += pasts[index].history.heldBytes }
    return count
  }

  /// Whether a run of erasing is under way that has come to `caret`, in a history that is not far behind.
  func isErasing(at caret: Int) -> Bool {
    // A span is looked at where it lies; the array would be held for each.
    let pasts = pasts.span
    for index in pasts.indices
    where pasts[index].weight > -Measured.goingOn * 2 && pasts[index].history.isErasing(at: caret) {
      return true
    }
    return false
  }

  /// Goes on with the likeliest history alone.
  mutating func forgetOthers() {
    if pasts.count > 1 { pasts.removeLast(pasts.count - 1) }
    pasts[0].weight = 0
  }

  /// Goes on with one history, in which nothing was done.
  mutating func forget() {
    forgetSteps()
    pasts[0].lastRetracing = nil
  }

  /// Goes on with the likeliest history for each of `weights` that may have been done last.
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

  /// Goes on with one history without steps; what was done last is kept.
  mutating func forgetSteps() {
    forgetOthers()
    pasts[0].history.forget()
  }

  /// Notes in each that the caret went elsewhere.
  mutating func endRun() {
    for index in pasts.indices {
      pasts[index].history.endRun()
      pasts[index].lastRetracing = nil
    }
  }

  /// Notes an edit in each.
  mutating func record(_ entry: History.Entry) {
    for index in pasts.indices {
      pasts[index].history.record(entry)
      pasts[index].lastRetracing = nil
    }
  }

  /// How likely it is that something else than an undo or a redo was done, beside what is likely of a
  /// document in which nothing is being undone.
  var elseShare: Double {
    if pasts.count == 1, pasts[0].lastRetracing == nil { return 0 }
    var best = -Double.infinity
    for index in pasts.indices {
      best = max(best, pasts[index].weight + Beam.elseShare(after: pasts[index].lastRetracing))
    }
    return best
  }

  private static func elseShare(after last: Kind?) -> Double {
    last == nil ? 0 : last == .undo ? Measured.elseAfterUndo : Measured.elseAfterRedo
  }

  /// Goes on by `ways`, each from its past, and from each past by `entry`, which weighs `weight`.
  mutating func follow(_ ways: [Way], or entry: History.Entry?, _ weight: Double) {
    var next: [Past] = []
    let isErasing = entry.map { self.isErasing(at: $0.caret) } ?? false
    if let entry {
      for var past in pasts {
        // What makes it likelier that more is erased is so in the histories in which that goes on.
        if entry.inserted.isEmpty, isErasing, !past.history.isErasing(at: entry.caret) {
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
      past.history.retrace(way)
      past.lastRetracing = way.kind
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
