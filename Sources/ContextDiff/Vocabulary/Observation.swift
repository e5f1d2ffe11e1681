/// A pair of snapshots, with what else the client knows of the change.
public struct Observation: Sendable {
  /// The snapshot before the change.
  public var old: Snapshot
  /// The snapshot after the change.
  public var new: Snapshot
  /// The pasteboard's text at the time of `new`; `nil` where it is not known, `""` where it is known to be empty.
  public var pasteboard: String?
  /// What else is known.
  public var evidence: Evidence

  /// The pair `old`, `new`; what is left out is not known.
  public init(
    old: Snapshot, new: Snapshot, pasteboard: String? = nil, evidence: Evidence = Evidence()
  ) {
    self.old = old
    self.new = new
    self.pasteboard = pasteboard
    self.evidence = evidence
  }
}

/// An observation whose text is borrowed UTF-8, valid for the time of one call.
@usableFromInline package struct LentObservation: ~Copyable {
  @usableFromInline package var old: Fields
  @usableFromInline package var new: Fields
  @usableFromInline package var pasteboard: Field
  @usableFromInline package var evidence: Evidence
  /// Whether the client is known to name the shortcuts that undo, redo, cut and paste, so that an unnamed one tells only
  /// that it hardly did any of these.
  @usableFromInline var namesShortcuts = false

  @inlinable package init(old: Fields, new: Fields, pasteboard: Field, evidence: Evidence) {
    self.old = old
    self.new = new
    self.pasteboard = pasteboard
    self.evidence = evidence
    // What one snapshot tells of how the host shows null is true of the other, too.
    self.old.hostSaysEmpty = new.saysEmpty
    self.new.hostSaysEmpty = old.saysEmpty
    // Of a host that never reports what is selected, a selected text says nothing.
    if old.selectionShown == false, old.selected.bytes.count > 0 { self.old.selected = .hidden }
    if new.selectionShown == false, new.selected.bytes.count > 0 { self.new.selected = .hidden }
  }
}

extension Observation {
  /// Lends the observation's UTF-8 to `body`; for `namesShortcuts` see `LentObservation`.
  func lend<Result>(
    namesShortcuts: Bool = false, to body: (borrowing LentObservation) -> Result
  ) -> Result {
    // Taken out first: a closure would copy the whole observation to hold it.
    let (new, pasteboard, evidence) = (new, pasteboard, evidence)
    return old.lend { old in
      new.lend { new in
        pasteboard.lend {
          var observation = LentObservation(
            old: old, new: new, pasteboard: $0, evidence: evidence)
          observation.namesShortcuts = namesShortcuts
          return body(observation)
        }
      }
    }
  }
}
