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

  private var expected = ExpectedEdits()
  private let memoryLimit: Int

  /// A session without a baseline that remembers at most `memoryLimit` bytes of text.
  public init(memoryLimit: Int = 65_536) {
    self.memoryLimit = memoryLimit
  }

  /// Reads the change to `new` and remembers it; `nil` where this sets the baseline.
  public mutating func post(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Transition? {
    let transition = preview(
      old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
      cause: cause, with: classifier)
    if let transition { expected.consume(transition.expectedEdits) }
    latest = new
    return transition
  }

  /// Reads the change to `new` as `post` would, and remembers nothing.
  public func preview(
    old: Snapshot? = nil, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, with classifier: Classifier
  ) -> Transition? {
    guard let old = old ?? latest else { return nil }
    var transition = classifier.classify(
      Observation(
        old: old, new: new, window: window, pasteboard: pasteboard, composition: composition,
        cause: cause))
    let shown = expected.shown(from: old, to: new)
    if shown > 0 {
      transition.kind = .expected
      transition.certainty = .certain
      transition.alternatives = []
      transition.expectedEdits = shown
      transition.leavesComposition = composition == nil ? nil : false
    }
    return transition
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

  /// The session as bytes, for another process of the same version to go on with.
  public func archived() -> [UInt8] { [] }

  /// The session that `archived()` gave; `nil` where the bytes are not such a session.
  public init?(archive: [UInt8], memoryLimit: Int = 65_536) { return nil }
}
