/// A pair of snapshots, borrowed, with what the readings share.
///
/// It is not copied: it is large, and every proposal of every reading looks at it.
struct Pair: ~Copyable {
  let old: Fields
  let new: Fields
  let window: Window
  let terminators: Terminators
  let pasteboard: Field
  let cause: Cause?
  let known: Known
  /// Whether readings that need another cut than the window's rule are admitted.
  let admitsRecut: Bool
  /// How what was shown left of the caret and what is shown there now lie over each other.
  let alignment: Alignment
  /// Whether `before` or `after` reads as it did.
  let keepsBefore: Bool
  let keepsAfter: Bool
  /// Whether the visible text reads as it did, wherever the caret stands in it.
  let keepsText: Bool

  init(
    old: Fields, new: Fields, window: Window, terminators: Terminators, pasteboard: Field,
    cause: Cause?, known: Known, admitsRecut: Bool = false
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.terminators = terminators
    self.pasteboard = pasteboard
    self.cause = cause
    self.known = known
    self.admitsRecut = admitsRecut
    alignment = Alignment(
      old: old.before.bytes, new: new.before.bytes, allowsCut: admitsRecut || !window.isExact)
    keepsBefore = old.before == new.before
    keepsAfter = old.after == new.after
    keepsText = old.all == new.all
  }

  /// The pair of `observation`, around which `known` is known.
  init(_ observation: LentObservation, terminators: Terminators, known: Known) {
    self.init(
      old: observation.old, new: observation.new, window: observation.window,
      terminators: terminators, pasteboard: observation.pasteboard, cause: observation.cause,
      known: known)
  }

  /// The same pair for a host that cuts its window where it likes, and shows null where it likes.
  var admittingRecuts: Pair {
    Pair(
      old: old, new: new, window: window, terminators: terminators, pasteboard: pasteboard,
      cause: cause, known: known.withOpenEnds, admitsRecut: true)
  }

  /// The text that is gone, and the text that has come, at the end of `before`.
  var gone: Bytes { alignment.gone(from: old.before.bytes) }
  var come: Bytes { alignment.come(in: new.before.bytes) }

  /// Whether the known pasteboard holds the old selection.
  var pasteboardHoldsSelection: Bool {
    pasteboard.isShown && pasteboard.bytes == old.selected.bytes
  }

  /// Whether text put in at the caret may be shown without what was shown before it.
  var startsAnew: Bool {
    let shown = old.before.bytes
    return admitsRecut || !window.isExact || new.before.bytes == .newline
      || shown == .newline || terminators.contains(shown.lastScalar)
  }

  /// The worst agreement that a reading may have.
  var admitted: Fit.Agreement {
    admitsRecut ? .hidden : window.isExact ? .exact : .recut
  }

  /// Whether the text is seen on both sides now, so that nothing depends on how an end is shown.
  var hasPlainEnds: Bool {
    !new.before.isEmpty && !new.after.isEmpty
      && !(window == .sentence && new.before.bytes == .newline)
  }
}
