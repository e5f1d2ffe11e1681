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

  /// The snapshot last posted.
  public var latest: Snapshot? { kept?.lend { Snapshot($0) } }

  private var kept: KeptSnapshot?

  /// How the host cut that snapshot.
  private(set) var window = Window.sentence
  private(set) var memory: Memory
  private(set) var history = History()
  private var elsewhere = Stretches()
  /// Whether a new line was seen to come with its indentation.
  private(set) var isIndented = false
  /// Whether the last thing done was an undo or a redo.
  private var isRetracing = false
  private(set) var expected = ExpectedEdits()

  /// A session without a baseline that remembers at most `memoryLimit` bytes of text.
  public init(memoryLimit: Int = 65_536) {
    memory = Memory(limit: memoryLimit)
  }

  init(
    latest: Snapshot?, window: Window, memory: Memory, history: History, expected: ExpectedEdits,
    isIndented: Bool
  ) {
    kept = latest.map(KeptSnapshot.init)
    self.isIndented = isIndented
    self.window = window
    self.memory = memory
    self.history = history
    self.expected = expected
  }

  /// Reads the change to `new` and remembers it.
  ///
  /// - Parameters:
  ///   - old: The snapshot before the change; `latest` where it is left out.
  ///   - new: The snapshot after it.
  ///   - window: How the host cuts both.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - composition: What was being composed in `old`.
  ///   - cause: Who the host says made the change.
  ///   - classifier: What reads the pair.
  /// - Returns: What happened; `nil` where `new` only sets the baseline.
  /// - Complexity: As `Classifier.classify`; where the caret went out of sight, or several edits
  ///   went at once, linear in the remembered text too.
  public mutating func post(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Transition? {
    new.lend { new in
      pasteboard.lend { pasteboard in
        old.lend { old in
          post(
            old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
            cause: cause, with: classifier)
        }
      }
    }
  }

  /// As `post` with snapshots of its own; the text need only be valid for the time of the call.
  package mutating func post(
    old: Fields?, new: Fields, window: Window, pasteboard: Field, composition: Composition?,
    cause: Cause?, with classifier: Classifier
  ) -> Transition? {
    let isCurrent = isCurrent(old, window: window)
    // Taken out, as nothing can be lent of a session while it changes.
    var latest = kept.take()
    let transition: Transition? = Session.lendStart(old, latest) { start in
      guard let start else {
        learn(new, window: window, with: classifier)
        return nil
      }
      let outcome = read(
        LentObservation(
          old: start, new: new, window: window, pasteboard: pasteboard, composition: composition,
          cause: cause), isCurrent: isCurrent, with: classifier)
      note(outcome)
      if !isCurrent { learn(start, window: window, with: classifier) }
      commit(outcome, from: start, to: new, with: classifier)
      return outcome.transition
    }
    if latest == nil { latest = KeptSnapshot(new) } else { latest?.keep(new) }
    kept = latest
    return transition
  }

  /// Reads the change to `new` as `post` would, and remembers nothing.
  public func preview(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Transition? {
    new.lend { new in
      pasteboard.lend { pasteboard in
        old.lend { old in
          preview(
            old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
            cause: cause, with: classifier)
        }
      }
    }
  }

  /// As `preview` with snapshots of its own; the text need only be valid for the time of the call.
  package func preview(
    old: Fields?, new: Fields, window: Window, pasteboard: Field, composition: Composition?,
    cause: Cause?, with classifier: Classifier
  ) -> Transition? {
    let isCurrent = isCurrent(old, window: window)
    var session = self
    return lendStart(old) { start in
      guard let start else { return nil }
      return session.read(
        LentObservation(
          old: start, new: new, window: window, pasteboard: pasteboard, composition: composition,
          cause: cause), isCurrent: isCurrent, with: classifier
      ).transition
    }
  }

  /// Lends `body` the snapshot last posted, if there is any.
  package func lendLatest(to body: (Fields) -> Void) {
    kept?.lend(to: body)
  }

  /// Lends `body` where a pair begins: `old`, or else the snapshot last posted, if there is any.
  private func lendStart<Result>(_ old: Fields?, to body: (Fields?) -> Result) -> Result {
    Session.lendStart(old, kept, to: body)
  }

  private static func lendStart<Result>(
    _ old: Fields?, _ latest: KeptSnapshot?, to body: (Fields?) -> Result
  ) -> Result {
    if old == nil, let latest { return latest.lend(to: body) }
    return body(old)
  }

  /// Announces the edit between two snapshots.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - new: Where it leads.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins.
  public mutating func expect(old: Snapshot? = nil, new: Snapshot) throws(ExpectError) {
    guard let old = old ?? expected.end ?? latest else { throw .noBaseline }
    expected.add(ExpectedEdits.Entry(old: old, new: new))
  }

  /// Announces an edit at the caret.
  ///
  /// What is selected goes first if the edit takes away or puts in anything; then what is left and
  /// right of the caret, by grapheme clusters; then the new text comes; then the caret moves. An
  /// edit that reaches beyond the text that is known is expected as far as that goes.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - edit: The edit.
  ///   - classifier: What says where sentences end.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins,
  ///   `ExpectError.invalidEdit` where a count is negative or the edit is empty.
  public mutating func expect(old: Snapshot? = nil, edit: Edit, with classifier: Classifier)
    throws(ExpectError)
  {
    guard edit.isValid else { throw .invalidEdit }
    guard let start = old ?? expected.end ?? latest else { throw .noBaseline }
    var text = text(at: start, isChained: old == nil, with: classifier)
    text.make(edit)
    expected.add(
      ExpectedEdits.Entry(
        old: start, new: text.snapshot(window: window, terminators: classifier.terminators),
        isOpenLeft: text.reachesLeft, isOpenRight: text.reachesRight),
      text: text)
  }

  /// The text that is known around the caret of `start`.
  private func text(
    at start: Snapshot, isChained: Bool, with classifier: Classifier
  ) -> EditedText {
    if isChained, let text = expected.endText { return text }
    if memory.isReliable, start.lend(to: { isCurrent($0, window: window) }),
      expected.entries.isEmpty || !isChained
    {
      return start.lend { fields in
        memory.withKnown(fields, window: window, terminators: classifier.terminators) {
          EditedText($0)
        }
      }
    }
    return EditedText(start, window: window)
  }

  /// The remembered text left of the caret, selected and right of it.
  package var remembered: (left: String, selected: String, right: String) {
    Fields.hidden.withKnown(memory) { ($0.left.string, $0.selected.string, $0.right.string) }
  }
}

// MARK: - Reading

extension Session {
  /// Changes nothing; it is `mutating` so that the session is read where it lies, not copied.
  private mutating func read(
    _ observation: LentObservation, isCurrent: Bool, with classifier: Classifier
  ) -> Outcome {
    var observation = observation
    if !expected.entries.isEmpty { observation.cause = nil }
    // By themselves: a closure would copy the session to hold them.
    let (history, origin) = (history, memory.origin)
    var outcome = withKnown(
      around: observation.old, isCurrent: isCurrent, window: observation.window, with: classifier
    ) { known in
      var hearing = Hearing(
        Pair(observation, terminators: classifier.terminators, known: known), history: history,
        origin: origin)
      return hearing.outcome(composition: observation.composition)
    }
    reconsider(&outcome, of: observation, isCurrent: isCurrent, with: classifier)
    return outcome
  }

  /// Takes into account what lies beyond the remembered text: other stretches of it, a seam in it,
  /// and the announced edits.
  private mutating func reconsider(
    _ outcome: inout Outcome, of observation: LentObservation, isCurrent: Bool,
    with classifier: Classifier
  ) {
    if outcome.isOpenToRecall { recall(in: &outcome, of: observation, with: classifier) }
    if memory.isSeamed, isCurrent, outcome.weight != nil {
      var judge = Judge(
        Pair(
          observation, terminators: classifier.terminators,
          known: Known(
            observation.old, window: observation.window, terminators: classifier.terminators)))
      let ruling = judge.ruling()
      outcome.weigh(ruling, for: judge.pair, composition: observation.composition)
    }
    if isRetracing, outcome.mayGoOnRetracing {
      outcome.name(.undo)
      outcome.name(.redo)
    }
    if outcome.transition.kind != .unchanged, !expected.isBlank {
      recognise(in: &outcome, of: observation, with: classifier)
    }
  }

  /// Looks for what explains the pair in the other stretches of remembered text, the memory itself
  /// among them where it is not relied on: a place in them first, then a way through their history.
  private func recall(
    in outcome: inout Outcome, of observation: LentObservation, with classifier: Classifier
  ) {
    let doubted = memory.isDoubtful ? [Stretches.Stretch(memory: memory, history: history)] : []
    let evidence = isRetracing ? 1 : Evidence.enough
    for isPlace in [true, false] {
      for (place, stretch) in (doubted + elsewhere.stretches).enumerated() {
        stretch.memory.withKnown(
          observation.old, window: observation.window, terminators: classifier.terminators
        ) { known in
          let pair = Pair(
            old: observation.old, new: observation.new, window: observation.window,
            terminators: classifier.terminators, pasteboard: .hidden, cause: nil, known: known)
          let index = place - doubted.count
          if isPlace {
            outcome.revisit(pair, at: index)
          } else {
            outcome.recall(pair, in: stretch, at: index, evidence: evidence)
          }
        }
        if !outcome.isOpenToRecall { return }
      }
    }
    // What the session went through may be what is seen, where none of it is remembered.
    if elsewhere.hasEdits || !history.isBlank,
      outcome.transition.kind == .outOfRangeTap || outcome.transition.kind.family == .selection
    {
      outcome.name(.undo)
    }
  }

  /// Recognises announced edits in what `outcome` says without them.
  private func recognise(
    in outcome: inout Outcome, of observation: LentObservation, with classifier: Classifier
  ) {
    switch expected.match(from: observation.old, to: observation.new) {
    case .whole(let count): outcome.become(expected: count)
    case .late: outcome.become(expected: 0)
    case nil:
      for (state, count) in expected.states(from: observation.old) {
        let rest = state.lend { state in
          var observation = observation
          observation.old = state
          return classifier.classify(observation)
        }
        if rest.isPlainer(than: outcome.transition) {
          outcome.become(expected: count, then: rest)
          return
        }
      }
    }
  }

  /// Lends what is known around the caret of `old`: by the memory, where that is current.
  private mutating func withKnown<Result>(
    around old: Fields, isCurrent: Bool, window: Window, with classifier: Classifier,
    _ body: (Known) -> Result
  ) -> Result {
    let terminators = classifier.terminators
    let isIndented = isIndented
    if memory.isReliable, isCurrent {
      return memory.withKnown(old, window: window, terminators: terminators) { known in
        var known = known
        known.isIndented = isIndented
        return body(known)
      }
    }
    return body(Known(old, window: window, terminators: terminators))
  }

  /// Whether the memory stands where a pair begins whose old snapshot is `old`, or else `latest`.
  private func isCurrent(_ old: Fields?, window: Window) -> Bool {
    guard let kept, window == self.window else { return false }
    guard let old else { return true }
    return kept.lend { $0 == old }
  }
}

// MARK: - Remembering

extension Session {
  private mutating func note(_ outcome: Outcome) {
    if outcome.transition.expectedEdits > 0 {
      expected.consume(outcome.transition.expectedEdits)
    } else if outcome.transition.kind != .expected && outcome.transition.kind != .unchanged {
      expected.forgetPassed()
    }
  }

  private mutating func learn(
    _ new: Fields, window: Window, with classifier: Classifier
  ) {
    memory.start(with: Known(new, window: window, terminators: classifier.terminators))
    history.forget()
    self.window = window
  }

  private mutating func commit(
    _ outcome: Outcome, from old: Fields, to new: Fields, with classifier: Classifier
  ) {
    let kind = outcome.transition.kind
    if kind == .unchanged {
      // Another new line shows nothing else.
      if window == .sentence, new.before.bytes == .newline { memory.doubt(beyond: 1) }
      return
    }
    isRetracing = kind == .undo || kind == .redo
    var isKnown = true
    switch outcome.change {
    case .nothing: break
    case .edit(let left, let selection, let right, let selects):
      isIndented =
        isIndented || !outcome.mayBeRetraced && outcome.transition.indents(behind: old.before)
      remember(
        outcome, left: left, selection: selection, right: right, selects: selects)
    case .move(let distance, let selecting, let isDoubtful):
      memory.place(
        at: memory.caret + distance, selecting: selecting, isDoubtful: isDoubtful)
      history.endRun()
    case .retraced(let found):
      memory.rewrite(found.text, caret: found.caret, selecting: found.selected)
      history.retrace(found)
    case .cleared:
      let text = memory.text
      text.withUnsafeBufferPointer {
        history.record(
          position: memory.origin, removed: Bytes($0), inserted: .empty, caret: memory.caret,
          selected: memory.selectedCount)
      }
      memory.rewrite([], caret: 0, selecting: 0)
    case .retracedElsewhere(let index, let found):
      enter(index)
      memory.rewrite(found.text, caret: found.caret, selecting: found.selected)
      memory.settle()
      history.retrace(found)
    case .revisited(let index, let caret, let selecting):
      enter(index)
      memory.place(at: memory.origin + caret, selecting: selecting)
      history.endRun()
    case .unknown: isKnown = false
    }
    if isKnown {
      let known = Known(new, window: window, terminators: classifier.terminators)
      switch memory.reconcile(with: known, window: window) {
      case .contradicted: history.forget()
      case .grown(0, 0): break
      case .grown(let left, let right):
        elsewhere.join(&memory, &history, grownLeft: left, grownRight: right)
      }
      if outcome.isDoubtful { memory.doubt(beyond: new.before.bytes.count) }
      if memory.isDoubtful { settle(new, with: classifier) }
    } else {
      elsewhere.keep(memory, history)
      learn(new, window: window, with: classifier)
    }
  }

  /// Goes on in the stretch at `index`, and keeps the present one in its place.
  private mutating func enter(_ index: Int) {
    if index >= 0 { elsewhere.exchange(index, &memory, &history) }
  }

  /// Relies on the memory again where only one place of it shows `snapshot`.
  private mutating func settle(_ new: Fields, with classifier: Classifier) {
    let isSettled = memory.withKnown(
      new, window: window, terminators: classifier.terminators
    ) { known in
      let pair = Pair(
        old: new, new: new, window: window, terminators: classifier.terminators,
        pasteboard: .hidden, cause: nil, known: known)
      let elsewhere = Locating(pair)
      return elsewhere.caret == nil && elsewhere.length >= Evidence.enough
    }
    if isSettled { memory.settle() }
  }

  private mutating func remember(
    _ outcome: Outcome, left: Int, selection: Bool, right: Int, selects: Bool
  ) {
    outcome.transition.removed.lend { removed in
      outcome.transition.inserted.lend { inserted in
        history.record(
          position: memory.caret - left, removed: removed.bytes, inserted: inserted.bytes,
          caret: memory.caret, selected: memory.selectedCount,
          isDoubtful: outcome.mayBeRetraced)
        memory.edit(
          removingLeft: left, removingSelection: selection, removingRight: right,
          inserting: inserted.bytes)
        if selects {
          memory.place(
            at: memory.caret - inserted.bytes.count, selecting: inserted.bytes.count)
        }
      }
    }
  }
}

extension Fields {
  fileprivate func withKnown<Result>(_ memory: Memory, _ body: (Known) -> Result) -> Result {
    memory.withKnown(self, window: .full, terminators: .standard, body)
  }
}

extension Session {
  /// How `preview` comes to its answer; `nil` where there is no baseline.
  ///
  /// What the session remembers of the text is taken into account; its announced edits and its
  /// history show in the transition alone.
  public func explain(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Explanation? {
    var explanation: Explanation?
    new.lend { new in
      pasteboard.lend { pasteboard in
        old.lend { old in
          let isCurrent = isCurrent(old, window: window)
          var session = self
          lendStart(old) { start in
            guard let start else { return }
            let observation = LentObservation(
              old: start, new: new, window: window, pasteboard: pasteboard,
              composition: composition, cause: cause)
            explanation = session.withKnown(
              around: start, isCurrent: isCurrent, window: window, with: classifier
            ) { known in
              Explanation(
                of: Pair(observation, terminators: classifier.terminators, known: known),
                composition: composition)
            }
            explanation?.transition =
              session.read(observation, isCurrent: isCurrent, with: classifier).transition
          }
        }
      }
    }
    return explanation
  }
}
