/// One document's consecutive snapshots: what they prove of its text, the edits that were
/// announced, and the history that undo and redo walk.
public struct Session: Sendable {
  /// Why an announced edit cannot be taken.
  public enum ExpectError: Error {
    /// Neither `old` nor an earlier snapshot says where the edit begins.
    case noBaseline
    /// A count of the edit is negative, or the edit is empty.
    case invalidEdit
  }

  /// No announced edit of that number waits.
  public struct NoSuchExpectation: Error {
    /// The number.
    public let number: Int
  }

  /// The snapshot last posted; `nil` before the first.
  ///
  /// - Complexity: Linear in its length, for it is a copy.
  public var latest: Snapshot? { kept.map { Snapshot($0.fields) } }

  var kept: KeptSnapshot?

  /// How the host is taken to cut its text.
  var window = Window.sentence
  var toldWindow: Window?
  /// What the pairs say of that.
  var windowBelief = WindowBelief()
  var causeBelief = CauseBelief()
  var groupingBelief = GroupingBelief()
  /// Whether its client was seen to say which shortcut takes back, does again, cuts or pastes: another one does
  /// none of these.
  var namesShortcuts = false
  /// What stands for the pasteboard's text at the last post.
  var pasteboardDigest: UInt64?
  /// The states that it came through.
  var trail = Trail()
  /// How many pairs were posted.
  public internal(set) var pairs = 0
  var memory: Memory
  /// What the document went through, or may have.
  var beam = Beam()
  var elsewhere = Stretches()
  var clips = Clips()
  /// Whether a new line was seen to come with its indentation.
  var isIndented = false
  var expected = ExpectedEdits()

  /// How much it holds for the posts to come, in bytes of text, and of what that is kept in.
  package private(set) var heldBytes = 0

  /// A session without a baseline that remembers at most `memoryLimit` bytes of text; a negative limit counts
  /// as 0.
  public init(memoryLimit: Int = 65_536) {
    memory = Memory(limit: memoryLimit)
  }

  /// Reads the change to `new` and remembers it.
  ///
  /// - Parameters:
  ///   - old: The snapshot before the change; `latest` where it is left out.
  ///   - new: The snapshot after it.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - evidence: What else is known. Where its window is not told, what the session knows of its host
  ///     stands for it, at first `sentence`.
  ///   - classifier: What reads the pair.
  /// - Returns: What happened; `nil` where `new` only sets the baseline.
  /// - Complexity: As `Classifier.classify`, up to five times as long while the host's window is learnt;
  ///   where the caret went out of sight, or several edits went at once, linear in the remembered text too.
  public mutating func post(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Transition? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      post(old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    }
  }

  /// As `post` with snapshots of its own; the text need only be valid for the time of the call.
  package mutating func post(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier
  ) -> Transition? {
    let observation = LentObservation(
      old: old ?? kept?.fields ?? new, new: new, pasteboard: pasteboard, evidence: evidence)
    let keystroke = Keystroke(observation, terminators: classifier.terminators)
    return post(observation, old: old, as: keystroke, with: classifier)
  }

  /// Reads `observation`, which begins at `old` or where the last pair ended, and remembers it; where it may be a
  /// `keystroke`, that is looked at first.
  mutating func post(
    _ observation: consuming LentObservation, old: Fields?, as keystroke: Keystroke?,
    with classifier: Classifier
  ) -> Transition? {
    let new = observation.new
    let evidence = observation.evidence
    let goesOn = kept?.isStart(of: old) ?? false
    let window = complete(&observation, goesOn: goesOn, as: keystroke, with: classifier)
    let isCurrent = goesOn && window == self.window
    let state = new.state
    guard old != nil || kept != nil else {
      learn(Known(new, window: window, terminators: classifier.terminators), window: window)
      kept = KeptSnapshot(new, state: state)
      if !new.selected.isEmpty { clips.keep(new.selected.bytes, insteadOfLast: false) }
      pasteboardDigest = observation.pasteboard.digest
      countHeldBytes()
      return nil
    }
    pairs += 1
    let start = observation.old
    let startState = (goesOn ? kept?.state : nil) ?? start.state
    let transition: Transition
    var unfulfilled: [Int] = []
    var mayBeRetraced = false
    if let keystroke,
      take(
        keystroke, from: start, to: new, leadingTo: state, isCurrent: isCurrent, window: window,
        with: classifier)
    {
      transition = keystroke.transition
    } else {
      let known = known(around: start, isCurrent: isCurrent, window: window, with: classifier)
      var outcome = Outcome()
      transition = read(
        observation, leadingTo: state, known: known, isCurrent: isCurrent, with: classifier,
        into: &outcome)
      unfulfilled = settle(outcome.announcedEvent, transition, in: observation)
      if !isCurrent { learn(known, window: window) }
      commit(transition, outcome, from: start, to: new, with: classifier)
      mayBeRetraced = outcome.mayBeRetraced
    }
    pasteboardDigest = observation.pasteboard.digest
    if transition.kind != .unchanged {
      trail.note(
        Trail.Step(
          state: startState, kind: transition.kind, isDoubted: transition.certainty == .likely,
          mayBeRetraced: mayBeRetraced,
          namesRetraced: transition.alternatives.contains { $0 == .undo || $0 == .redo }))
    }
    if evidence.key?.isNamedShortcut ?? false { namesShortcuts = true }
    if evidence.composition == nil { causeBelief.observe(evidence.cause, of: transition) }
    if kept == nil {
      kept = KeptSnapshot(new, state: state)
    } else {
      kept?.keep(new, state: state)
    }
    countHeldBytes()
    return unfulfilled.isEmpty ? transition : transition.leaving(unfulfilled)
  }

  /// Reads the change to `new` as `post` would, and remembers nothing.
  ///
  /// - Parameters: As those of `post`.
  /// - Returns: What happened; `nil` where nothing says what was there before.
  /// - Complexity: As `post`.
  public func preview(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Transition? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      preview(old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    }
  }

  /// As `preview` with snapshots of its own; the text need only be valid for the time of the call.
  package func preview(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier
  ) -> Transition? {
    read(
      old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier, explain: nil
    )?.transition
  }

  /// Reads the change to `new` as `preview` does, in a password field: what the answer says of announced edits is so
  /// from then on, and nothing else of the pair is remembered.
  ///
  /// The text of an edit that was announced for such a field is kept no longer than until the field shows it.
  package mutating func postSecure(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier
  ) -> Transition? {
    guard
      let (transition, waiting) = read(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier,
        explain: nil)
    else { return nil }
    expected.retain(waitingIn: waiting)
    countHeldBytes()
    return transition
  }

  /// As `postSecure` with texts that are lent.
  package mutating func postSecure(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Transition? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      postSecure(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    }
  }

  /// How `preview` answers, and which announced edits wait then; `explain` is lent what the answer comes of.
  private func read(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier,
    explain: Explain?
  ) -> (transition: Transition, waiting: ExpectedEdits)? {
    guard let start = old ?? kept?.fields else { return nil }
    var observation = LentObservation(
      old: start, new: new, pasteboard: pasteboard, evidence: evidence)
    // Nothing is changed that would have its text copied.
    var session = self
    let goesOn = kept?.isStart(of: old) ?? false
    let window = session.complete(&observation, goesOn: goesOn, as: nil, with: classifier)
    let isCurrent = goesOn && window == self.window
    let known = session.known(
      around: observation.old, isCurrent: isCurrent, window: window, with: classifier)
    var outcome = Outcome()
    var transition = session.read(
      observation, leadingTo: observation.new.state, known: known, isCurrent: isCurrent,
      with: classifier, into: &outcome, explain: explain)
    transition.unfulfilled = session.settle(outcome.announcedEvent, transition, in: observation)
    return (transition, session.expected)
  }

  /// Puts the window to read by, which is returned, into `observation`, and takes the cause out of it while edits are
  /// announced.
  private mutating func complete(
    _ observation: inout LentObservation, goesOn: Bool, as keystroke: Keystroke?,
    with classifier: Classifier
  ) -> Window {
    toldWindow = observation.evidence.window ?? toldWindow
    let window = learnWindow(observation, goesOn: goesOn, as: keystroke, with: classifier)
    observation.evidence.window = window
    // Who made the change says nothing while edits are announced.
    if !expected.announcements.isEmpty { observation.evidence.cause = nil }
    return window
  }

  /// The rule to read a pair by: what was told, or what the pairs up to this one tell.
  private mutating func learnWindow(
    _ observation: borrowing LentObservation, goesOn: Bool, as keystroke: Keystroke?,
    with classifier: Classifier
  ) -> Window {
    if let told = toldWindow, told != .full {
      windowBelief.skip()
      return told
    }
    windowBelief.take(toldWindow)
    if goesOn, keystroke != nil, windowBelief.observeKeystroke(mayTurn: expected.isBlank) {
      return windowBelief.window
    }
    windowBelief.observe(
      observation, goesOn: goesOn, mayTurn: expected.isBlank, along: trail, with: classifier)
    return windowBelief.window
  }

  /// Lends `body` what a pair is given by.
  @inline(__always) private static func lend<Result>(
    _ old: Snapshot?, _ new: Snapshot, _ pasteboard: String?,
    to body: (Fields?, Fields, Field) -> Result
  ) -> Result {
    new.lend { new in
      pasteboard.lend { pasteboard in
        old.lend { body($0, new, pasteboard) }
      }
    }
  }

  /// Lends `body` the snapshot last posted, if there is any.
  ///
  /// Changes nothing; it is `mutating` so that a session which an object holds is looked at where it
  /// lies, not copied.
  package mutating func lendLatest(to body: (Fields) -> Void) {
    if let latest = kept?.fields { body(latest) }
  }

  /// Counts anew what it holds.
  mutating func countHeldBytes() {
    var count = (kept?.roomBytes ?? 0) + memory.roomBytes + beam.heldBytes
    count += elsewhere.heldBytes + expected.byteCount
    heldBytes = count
  }

  /// The remembered text left of the caret, selected and right of it.
  package var remembered: (left: String, selected: String, right: String) {
    let known = memory.known(around: .hidden)
    return (known.left.string, known.selected.string, known.right.string)
  }
}

extension Session {
  /// How `preview` comes to its answer; `nil` where there is no baseline.
  ///
  /// The readings hold what the session knows, too: what its history leads back to, the places of the text
  /// that it remembers, what the pair would be if that text were wrong, and what the announced edits lead to.
  ///
  /// - Parameters: As those of `post`.
  /// - Complexity: As `post`, and a copy of the text for each reading; for people, not for every pair.
  public func explain(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Explanation? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      var explanation: Explanation?
      let read = read(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier
      ) { transition, verdict, pair, trials in
        explanation = Explanation(transition, of: verdict, for: pair, among: trials)
      }
      guard let read, let start = old ?? kept?.fields else { return nil }
      explanation?.transition = read.transition
      explanation?.add(expected, from: start, to: new)
      return explanation
    }
  }
}

extension Transition {
  /// The same, with the announced edits that did not come.
  fileprivate consuming func leaving(_ unfulfilled: [Int]) -> Transition {
    self.unfulfilled = unfulfilled
    return self
  }
}
