/// How a host cuts the text that it shows (MODEL, part 1).
public enum Window: String, Sendable, CaseIterable {
  /// One sentence, with rules for line breaks.
  case sentence
  /// As `sentence`, but `before` may hold earlier lines too (iOS 16 and later).
  case paragraph
  /// A plain cut without rules for line breaks (surrounding text on Linux).
  case full
}

/// Who the host says made a change (the change cause of text-input-v3).
public enum Cause: String, Sendable, CaseIterable {
  /// The input method.
  case inputMethod
  /// Anything else: the person, the application.
  case other
}

/// How much of the old snapshot's text is still being composed.
public struct Composition: Sendable, Hashable {
  /// The length left of the caret, in scalars.
  public var before: Int
  /// The length right of the caret, in scalars.
  public var after: Int

  /// A composition that reaches `before` scalars left and `after` scalars right of the caret; a
  /// negative length counts as 0.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
  }
}

/// A pair of snapshots, with what else the client knows of the change.
public struct Observation: Sendable {
  /// The snapshot before the change.
  public var old: Snapshot
  /// The snapshot after the change.
  public var new: Snapshot
  /// How the host cuts its text.
  public var window: Window
  /// The pasteboard's text at the time of `new`; `nil` where it is not known, `""` is known.
  public var pasteboard: String?
  /// What was being composed in `old`.
  public var composition: Composition?
  /// Who the host says made the change.
  public var cause: Cause?

  /// The pair `old`, `new`; what is left out is not known.
  public init(
    old: Snapshot, new: Snapshot, window: Window = .sentence, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.pasteboard = pasteboard
    self.composition = composition
    self.cause = cause
  }
}

/// An observation, borrowed: its text is UTF-8 that somebody else owns, valid for the time of one
/// call.
@usableFromInline package struct LentObservation: ~Copyable {
  @usableFromInline package var old: Fields
  @usableFromInline package var new: Fields
  @usableFromInline package var window: Window
  @usableFromInline package var pasteboard: Field
  @usableFromInline package var composition: Composition?
  @usableFromInline package var cause: Cause?

  @inlinable package init(
    old: Fields, new: Fields, window: Window, pasteboard: Field, composition: Composition?,
    cause: Cause?
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.pasteboard = pasteboard
    self.composition = composition
    self.cause = cause
  }
}

extension Observation {
  /// Lends the observation's UTF-8 to `body`.
  func lend<Result>(to body: (borrowing LentObservation) -> Result) -> Result {
    // Taken out first: a closure would copy the whole observation to hold it.
    let (oldBefore, oldSelected, oldAfter) = old.texts
    let (newBefore, newSelected, newAfter) = new.texts
    let pasted = pasteboard ?? ""
    var lent = LentObservation(
      old: old.shape, new: new.shape, window: window,
      pasteboard: Field(.empty, isShown: pasteboard != nil), composition: composition, cause: cause)
    return lent.old.lend(oldBefore.utf8.span, oldSelected.utf8.span, oldAfter.utf8.span) {
      lent.old = $0
      return lent.new.lend(newBefore.utf8.span, newSelected.utf8.span, newAfter.utf8.span) {
        lent.new = $0
        return pasted.withBytes {
          lent.pasteboard = Field($0, isShown: lent.pasteboard.isShown)
          return body(lent)
        }
      }
    }
  }
}
