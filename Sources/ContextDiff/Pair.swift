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
  private(set) var known: Known
  /// Whether readings that need another cut than the window's rule are admitted.
  private(set) var admitsRecut = false
  /// How what was shown left of the caret and what is shown there now lie over each other.
  private(set) var alignment: Alignment
  /// Whether `before` reads as it did.
  let keepsBefore: Bool
  /// Whether the visible text reads as it did, wherever the caret stands in it.
  let keepsText: Bool
  /// The line of the published list that decides.
  let rule: DecisionList.Rule

  init(
    old: Fields, new: Fields, window: Window, terminators: Terminators, pasteboard: Field,
    cause: Cause?, known: Known
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.terminators = terminators
    self.pasteboard = pasteboard
    self.cause = cause
    self.known = known
    let common = old.before.bytes.commonPrefix(new.before.bytes)
    alignment = Alignment(
      old: old.before.bytes, new: new.before.bytes, common: common, allowsCut: !window.isExact)
    keepsBefore =
      old.before.isShown == new.before.isShown && old.before.bytes.count == common
      && new.before.bytes.count == common
    keepsText =
      old.all.count == new.all.count && old.all.dropFirst(common) == new.all.dropFirst(common)
    rule =
      DecisionList(
        old: old, new: new, window: window, pasteboard: pasteboard, keepsText: keepsText
      ).rule()
  }

  /// The pair of `observation`, around which `known` is known.
  @inline(__always) init(_ observation: LentObservation, terminators: Terminators, known: Known) {
    self.init(
      old: observation.old, new: observation.new, window: observation.window,
      terminators: terminators, pasteboard: observation.pasteboard, cause: observation.cause,
      known: known)
  }

  /// Reads on for a host that cuts its window where it likes, and shows null where it likes.
  mutating func admitRecuts() {
    known = known.withOpenEnds
    admitsRecut = true
    if window.isExact {
      let old = old.before.bytes
      let new = new.before.bytes
      alignment = Alignment(
        old: old, new: new, common: old.commonPrefix(new), allowsCut: true)
    }
  }

  /// Takes `admitRecuts` back, with what was known and how it lay before.
  mutating func refuseRecuts(_ known: Known, _ alignment: Alignment) {
    self.known = known
    self.alignment = alignment
    admitsRecut = false
  }

  /// Whether `after` reads as it did.
  var keepsAfter: Bool { old.after == new.after }

  /// Whether the two snapshots are equal.
  var isUnchanged: Bool { keepsBefore && old.selected == new.selected && keepsAfter }

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
