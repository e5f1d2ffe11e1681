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
  public private(set) var latest: Snapshot?

  /// How the host cut that snapshot.
  private var window = Window.sentence
  private var memory: Memory
  private var history = History()
  private var expected = ExpectedEdits()

  /// A session without a baseline that remembers at most `memoryLimit` bytes of text.
  public init(memoryLimit: Int = 65_536) {
    memory = Memory(limit: memoryLimit)
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
    guard let old = old ?? latest else {
      learn(new, window: window, with: classifier)
      return nil
    }
    let outcome = read(
      Observation(
        old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
        cause: cause), with: classifier)
    commit(outcome, old: old, new: new, window: window, with: classifier)
    return outcome.transition
  }

  /// Reads the change to `new` as `post` would, and remembers nothing.
  public func preview(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Transition? {
    guard let old = old ?? latest else { return nil }
    return read(
      Observation(
        old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
        cause: cause), with: classifier
    ).transition
  }

  /// Announces the edit between two snapshots; `old` defaults to where the edits announced so
  /// far lead, or to `latest`.
  public mutating func expect(old: Snapshot? = nil, new: Snapshot) throws(ExpectError) {
    guard let old = old ?? expected.end ?? latest else { throw .noBaseline }
    expected.add(old: old, new: new)
  }

  /// Announces an edit at the caret.
  public mutating func expect(old: Snapshot? = nil, edit: Edit, with classifier: Classifier)
    throws(ExpectError)
  {
    guard let old = old ?? expected.end ?? latest else { throw .noBaseline }
    guard let new = edit.applied(to: old) else { throw .invalidEdit }
    expected.add(old: old, new: new)
  }

  /// The remembered text left of the caret, selected and right of it.
  package var remembered: (left: String, selected: String, right: String) {
    Fields.blank.withKnown(memory) { ($0.left.string, $0.selected.string, $0.right.string) }
  }

  /// The session as bytes, for another process of the same version to go on with.
  public func archived() -> [UInt8] { [] }

  /// The session that `archived()` gave; `nil` where the bytes are not such a session.
  public init?(archive: [UInt8], memoryLimit: Int = 65_536) { return nil }
}

// MARK: - Reading

extension Session {
  /// What a pair was read as, and what that does to the memory.
  struct Outcome {
    var transition: Transition
    var change: Change
  }

  enum Change {
    case nothing
    /// An edit at the caret, of which the transition holds the text.
    case edit(left: Int, selection: Bool, right: Int, selects: Bool)
    /// The caret so many bytes on in the known text, selecting so many from there; whether another
    /// place looks alike.
    case move(by: Int, selecting: Int, isDoubtful: Bool)
    case retraced(Retracing.Found)
    /// All the text is gone.
    case cleared
    /// Somewhere else, or something that is not known whole.
    case unknown
  }

  private func read(_ observation: Observation, with classifier: Classifier) -> Outcome {
    observation.old.withFields { old in
      observation.new.withFields { new in
        observation.pasteboard.withField { pasteboard in
          withKnown(observation, old, with: classifier) { known in
            let pair = Pair(
              old: old, new: new, window: observation.window, terminators: classifier.terminators,
              pasteboard: pasteboard, cause: observation.cause, known: known)
            var hearing = Hearing(pair, history: history, origin: memory.origin)
            return hearing.outcome(composition: observation.composition)
          }
        }
      }
    }
  }

  /// Lends what is known around `old`'s caret: by the memory, where it stands there.
  private func withKnown<Result>(
    _ observation: Observation, _ old: Fields, with classifier: Classifier,
    _ body: (Known) -> Result
  ) -> Result {
    if !memory.isEmpty, !memory.isDoubtful, observation.window == window, isLatest(observation.old) {
      return memory.withKnown(
        old, window: window, terminators: classifier.terminators, body)
    }
    return body(Known(old, window: observation.window, terminators: classifier.terminators))
  }

  private func isLatest(_ snapshot: Snapshot) -> Bool {
    latest.map { $0.hasSameText(as: snapshot) } ?? false
  }
}

// MARK: - Remembering

extension Session {
  private mutating func learn(
    _ new: Snapshot, window: Window, with classifier: Classifier
  ) {
    new.withFields {
      memory.start(with: Known($0, window: window, terminators: classifier.terminators))
    }
    history.forget()
    latest = new
    self.window = window
  }

  private mutating func commit(
    _ outcome: Outcome, old: Snapshot, new: Snapshot, window: Window, with classifier: Classifier
  ) {
    let transition = outcome.transition
    if transition.kind == .unchanged && isLatest(old) && window == self.window { return }
    if window != self.window || !isLatest(old) {
      learn(old, window: window, with: classifier)
    }
    var isKnown = true
    switch outcome.change {
    case .nothing: break
    case .edit(let left, let selection, let right, let selects):
      remember(transition, left: left, selection: selection, right: right, selects: selects)
    case .move(let distance, let selecting, let isDoubtful):
      memory.place(
        at: memory.caret + distance, selecting: selecting, isDoubtful: isDoubtful)
      history.endRun()
    case .retraced(let found):
      memory.rewrite(found.text, caret: found.caret, selecting: found.selected)
      if found.kind == .undo { history.undo(found.steps) } else { history.redo(found.steps) }
    case .cleared:
      let text = memory.text
      text.withUnsafeBufferPointer {
        history.record(
          position: memory.origin, removed: Bytes($0), inserted: .empty, isTyping: false)
      }
      memory.rewrite([], caret: 0, selecting: 0)
    case .unknown: isKnown = false
    }
    if isKnown {
      isKnown = new.withFields {
        memory.reconcile(
          with: Known($0, window: window, terminators: classifier.terminators), window: window)
      }
      if !isKnown { history.forget() }
      if memory.isDoubtful { settle(new, with: classifier) }
      latest = new
    } else {
      learn(new, window: window, with: classifier)
    }
  }

  /// Relies on the memory again where only one place of it shows `snapshot`.
  private mutating func settle(_ snapshot: Snapshot, with classifier: Classifier) {
    let isSettled = snapshot.withFields { fields in
      memory.withKnown(fields, window: window, terminators: classifier.terminators) { known in
        let pair = Pair(
          old: fields, new: fields, window: window, terminators: classifier.terminators,
          pasteboard: .hidden, cause: nil, known: known)
        let elsewhere = Locating(pair)
        return elsewhere.caret == nil && elsewhere.length >= Evidence.enough
      }
    }
    if isSettled { memory.settle() }
  }

  private mutating func remember(
    _ transition: Transition, left: Int, selection: Bool, right: Int, selects: Bool
  ) {
    let isTyping =
      switch transition.kind {
      case .insertion, .deletion, .replacement: !selection
      default: false
      }
    transition.removed.withField { removed in
      transition.inserted.withField { inserted in
        history.record(
          position: memory.caret - left, removed: removed.bytes, inserted: inserted.bytes,
          isTyping: isTyping)
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
  fileprivate static var blank: Fields {
    Fields(before: .hidden, selected: .hidden, after: .hidden, hasText: nil)
  }

  fileprivate func withKnown<Result>(_ memory: Memory, _ body: (Known) -> Result) -> Result {
    memory.withKnown(self, window: .full, terminators: .standard, body)
  }
}
