/// What consecutive snapshots of one document tell: its text, its history for undo and redo, how its host behaves, and
/// which announced edits wait.
public struct Session: Sendable {
  // Some methods are `mutating` although they change nothing, so that a session which others hold is read in place, not
  // copied.

  /// Why an announced edit cannot be taken.
  public enum ExpectError: Error {
    /// Neither `old` nor an earlier snapshot says where the edit begins.
    case noBaseline
    /// `deleteBackward` or `deleteForward` of the edit is negative, or it does nothing.
    case invalidEdit
  }

  /// No announced edit of that number waits.
  public struct NoSuchExpectation: Error {
    /// The number.
    public let number: Int
  }

  /// The snapshot last posted, without `selected` where `selectionShown` is `false`; `nil` before the first.
  ///
  /// - Complexity: Linear in its length, for it is a copy.
  public var latest: Snapshot? { kept.map { Snapshot($0.fields) } }

  /// A copy of the snapshot last posted, in memory that the next one reuses.
  var kept: KeptSnapshot?

  /// The window by which the last pair was read.
  var window = Window.sentence
  /// The window last given as evidence; `nil` where none was.
  var toldWindow: Window?
  var windowBelief = WindowBelief()
  var causeBelief = CauseBelief()
  var groupingBelief = GroupingBelief()
  /// Whether its client names the shortcuts that undo, redo, cut or paste, so that an unnamed one hardly does any of these.
  package var namesShortcuts = false
  /// The digest of the pasteboard's text at the last post.
  var pasteboardDigest: UInt64?
  /// The digests of the last snapshots.
  var trail = Trail()
  /// How many pairs were posted; a snapshot that only sets the baseline is none.
  public internal(set) var pairs = 0
  /// The remembered text around the caret.
  var memory: Memory
  /// The histories that the document may have.
  var beam = Beam()
  /// Remembered text at other places, with its histories.
  var elsewhere = Stretches()
  /// The terminators by which the last pair was a keystroke in text that the memory knows; `nil` where it was none.
  ///
  /// While the classifier has these, the next keystroke needs no look at the memory either: one more character left of
  /// the caret brings no other line, sentence or end of the document into view.
  var typedBy: Terminators?
  /// The texts selected last.
  var clips = Clips()
  /// Whether the host was seen to insert an indentation together with a newline.
  var isIndented = false
  /// The announced edits.
  var expected = ExpectedEdits()

  /// How many bytes of text, as UTF-8, a session remembers by default.
  public static let standardMemoryLimit = 65_536

  /// A session without a baseline.
  ///
  /// - Parameter memoryLimit: How many bytes of text it remembers around the caret at most, and as many again at the
  ///   places that the caret left; a negative limit counts as 0. Besides, at any limit, it holds the last snapshot,
  ///   announced edits, the texts selected last (1 KiB), and what the last edits removed and inserted (16 KiB for each
  ///   history that the document, or a place left, may have).
  public init(memoryLimit: Int = standardMemoryLimit) {
    memory = Memory(limit: memoryLimit)
  }

  /// Reads the change to `new` and remembers it.
  ///
  /// - Parameters:
  ///   - old: The snapshot before the change; `latest` where it is left out. One with other texts than
  ///     `latest` makes the session forget the text around the caret, and its history.
  ///   - new: The snapshot after it.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - evidence: What else is known. Without a window, what the session knows of its host stands for
  ///     it, at first `sentence`.
  ///   - classifier: What reads the pair.
  /// - Returns: What happened; `nil` where `new` only sets the baseline: an edit announced before, which `new` shows,
  ///   waits no longer then, and nothing names it.
  /// - Complexity: As `Classifier.classify`, up to five times as long while the host's window is learnt;
  ///   where the caret went out of sight, or several edits went at once, linear in the remembered text too.
  @discardableResult
  public mutating func post(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Transition? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      answer(old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)?
        .transition
    }
  }

  /// Does what `post` does with texts that are lent for the time of the call, and answers without a copy of them: an
  /// `Answer.keystroke` is valid as long as they are.
  package mutating func answer(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier
  ) -> Answer? {
    var observation = LentObservation(
      old: old ?? kept?.fields ?? new, new: new, pasteboard: pasteboard, evidence: evidence)
    let keystroke = Keystroke(observation, terminators: classifier.terminators)
    return answer(&observation, old: old, as: keystroke, with: classifier)
  }

  /// Reads `observation`, which begins at `old` or, if that is `nil`, at the last snapshot, and remembers it.
  ///
  /// `keystroke` is the keystroke that the pair shows, if it shows one; it needs no contest unless the session knows
  /// what else it may be.
  mutating func answer(
    _ observation: inout LentObservation, old: Fields?, as keystroke: Keystroke?,
    with classifier: Classifier
  ) -> Answer? {
    let (state, window, goesOn) = prepare(&observation, old: old, as: keystroke, with: classifier)
    let new = observation.new
    let isCurrent = goesOn && window == self.window
    guard old != nil || kept != nil else {
      learn(Known(new, window: window, terminators: classifier.terminators), window: window)
      if !new.selected.isEmpty { clips.keep(new.selected.bytes, insteadOfLast: false) }
      expected.begin(at: new, window: window)
      keep(observation, state: state)
      return nil
    }
    pairs += 1
    let startState = (goesOn ? kept?.state : nil) ?? observation.old.state
    if let keystroke,
      take(
        keystroke, from: observation.old, to: new, leadingTo: state, isCurrent: isCurrent,
        window: window, with: classifier)
    {
      trail.note(Trail.Step(state: startState, kind: Keystroke.kind))
      if let cause = observation.evidence.cause { causeBelief.count(cause) }
      keep(observation, state: state)
      return .keystroke(keystroke)
    }
    return .transition(
      contest(
        observation, from: startState, to: state, isCurrent: isCurrent, window: window,
        with: classifier))
  }

  /// Reads `observation`, of whose snapshots `startState` and `state` are the digests, by the contest, and remembers it.
  ///
  /// `isCurrent` says that its old snapshot is the last one, cut by the same window as then.
  @inline(never)  // Keystrokes are not to pay for it.
  private mutating func contest(
    _ observation: borrowing LentObservation, from startState: UInt64, to state: UInt64,
    isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Transition {
    typedBy = nil
    let (start, new) = (observation.old, observation.new)
    let known = known(around: start, isCurrent: isCurrent, window: window, with: classifier)
    var outcome = Outcome()
    var transition = read(
      observation, leadingTo: state, known: known, with: classifier, into: &outcome)
    let unfulfilled = settle(outcome.announcedEvent, transition, in: observation)
    if !isCurrent { learn(known, window: window) }
    commit(transition, outcome, from: start, to: new, with: classifier)
    note(
      transition, of: observation, from: startState, to: state,
      mayBeRetraced: outcome.mayBeRetraced)
    transition.unfulfilled = unfulfilled
    return transition
  }

  /// Keeps the new snapshot of `observation`, and what its `transition` says of the next ones.
  ///
  /// `startState` and `state` are the digests of its snapshots.
  private mutating func note(
    _ transition: borrowing Transition, of observation: borrowing LentObservation,
    from startState: UInt64, to state: UInt64, mayBeRetraced: Bool
  ) {
    let evidence = observation.evidence
    if transition.kind != .unchanged {
      var step = Trail.Step(
        state: startState, kind: transition.kind, mayBeRetraced: mayBeRetraced)
      if transition.certainty == .likely {
        step.isDoubted = true
        step.namesDeletion = transition.alternatives.contains(.deletion)
        step.namesRetraced = transition.alternatives.contains(where: \.retraces)
      }
      trail.note(step)
    }
    if evidence.key?.isNamedShortcut ?? false { namesShortcuts = true }
    if evidence.composition == nil { causeBelief.observe(evidence.cause, of: transition) }
    keep(observation, state: state)
  }

  /// Keeps the new snapshot of `observation`, of which `state` is the digest, and its pasteboard, for the next pair.
  @inline(__always)
  private mutating func keep(_ observation: borrowing LentObservation, state: UInt64) {
    pasteboardDigest = observation.pasteboard.digest
    if kept == nil {
      kept = KeptSnapshot(observation.new, state: state)
    } else {
      kept?.keep(observation.new, state: state)
    }
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
      dryRun(old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)?
        .transition
    }
  }

  /// Reads the change to `new` in a password field as `preview` does, of texts that are lent for the time of the call,
  /// and remembers nothing of it but which announced edits no longer wait.
  ///
  /// The text of an edit announced for such a field is forgotten once the field shows it, be that in the first post.
  package mutating func postSecure(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier
  ) -> Transition? {
    guard
      let (transition, waiting) = dryRun(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    else {
      var waiting = expected
      waiting.begin(at: new, window: evidence.window ?? window)
      expected.retain(waitingIn: waiting)
      return nil
    }
    expected.retain(waitingIn: waiting)
    return transition
  }

  /// `postSecure` of snapshots.
  package mutating func postSecure(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Transition? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      postSecure(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    }
  }

  /// Reads a pair in a copy of the session: the answer of `preview`, and the announced edits as the pair leaves them.
  ///
  /// `explain` is lent the verdict.
  private func dryRun(
    old: Fields?, new: Fields, pasteboard: Field, evidence: Evidence, with classifier: Classifier,
    explain: Explain? = nil
  ) -> (transition: Transition, waiting: ExpectedEdits)? {
    guard let start = old ?? kept?.fields else { return nil }
    var observation = LentObservation(
      old: start, new: new, pasteboard: pasteboard, evidence: evidence)
    // The copy is cheap: nothing that holds the remembered text is changed in it.
    var session = self
    let (state, window, goesOn) = session.prepare(
      &observation, old: old, as: nil, with: classifier)
    let known = session.known(
      around: observation.old, isCurrent: goesOn && window == self.window, window: window,
      with: classifier)
    var outcome = Outcome()
    var transition = session.read(
      observation, leadingTo: state, known: known, with: classifier, into: &outcome,
      explain: explain)
    transition.unfulfilled = session.settle(outcome.announcedEvent, transition, in: observation)
    return (transition, session.expected)
  }

  /// Sets the window by which `observation` is read, and what its session knows of its host and its client.
  ///
  /// - Returns: The digest of the new snapshot, the window, and whether the pair goes on from the snapshot last posted.
  @inline(__always)
  private mutating func prepare(
    _ observation: inout LentObservation, old: Fields?, as keystroke: Keystroke?,
    with classifier: Classifier
  ) -> (state: UInt64, window: Window, goesOn: Bool) {
    observation.namesShortcuts = namesShortcuts
    // The last snapshot was kept as the observation has it: of a selection that its host hides, nothing.
    let goesOn = kept?.isStart(of: old == nil ? nil : observation.old) ?? false
    if goesOn, kept?.saysEmpty ?? false {
      observation.old.hostSaysEmpty = true
      observation.new.hostSaysEmpty = true
    }
    let state = observation.new.state
    let window = learnWindow(
      of: &observation, leadingTo: state, goesOn: goesOn, as: keystroke, with: classifier)
    observation.evidence.window = window
    return (state, window, goesOn)
  }

  /// The window to read a pair by: the one last given as evidence, or the one that the pairs up to this one tell.
  ///
  /// `state` is the digest of the new snapshot; `goesOn` says that the old one is the snapshot last posted. The
  /// observation is not changed, but lent it would be copied.
  private mutating func learnWindow(
    of observation: inout LentObservation, leadingTo state: UInt64, goesOn: Bool,
    as keystroke: Keystroke?, with classifier: Classifier
  ) -> Window {
    toldWindow = observation.evidence.window ?? toldWindow
    if let told = toldWindow, told != .full {
      windowBelief.skip()
      return told
    }
    windowBelief.take(toldWindow)
    if goesOn, keystroke != nil, windowBelief.observeKeystroke() { return windowBelief.window }
    windowBelief.observe(
      observation, isKeystroke: keystroke != nil, goesOn: goesOn,
      returns: trail.retracing(to: state) != nil, with: classifier)
    return windowBelief.window
  }

  /// Lends `body` the texts of a pair.
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
  package mutating func lendLatest(to body: (Fields) -> Void) {
    if let latest = kept?.fields { body(latest) }
  }

  /// The memory in use, in bytes: the texts, and what holds them.
  package var heldBytes: Int {
    mutating get {
      (kept?.heldBytes ?? 0) + memory.heldBytes + beam.heldBytes + elsewhere.heldBytes
        + expected.heldBytes + clips.heldBytes
    }
  }

  /// The remembered text: left of the caret or the selection, selected, and right of it.
  package var remembered: (left: String, selected: String, right: String) {
    let known = memory.known(around: .hidden)
    return (known.left.string, known.selected.string, known.right.string)
  }
}

extension Session {
  /// How `preview` comes to its answer; `nil` where there is no baseline.
  ///
  /// Its readings include the session's: the undos and redos of its histories, other places of the remembered text, the
  /// pair read as if that text were wrong, and what the announced edits lead to.
  ///
  /// - Parameters: As those of `post`.
  /// - Complexity: As `post`, and a copy of the text for each reading; for people, not for every pair.
  public func explain(
    old: Snapshot? = nil, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    with classifier: Classifier
  ) -> Explanation? {
    Session.lend(old, new, pasteboard) { old, new, pasteboard in
      var explanation: Explanation?
      let read = dryRun(
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
