/// A pair of snapshots whose text is borrowed, with all that the readings have in common.
///
/// It is large, and every proposal of every reading looks at it: pass it on, and store it nowhere. Were it not copyable,
/// the compiler would take twice as long for the whole module.
struct Pair {
  /// The snapshots as the readings see them: under `line` cut to the caret's line (`Fields.seen(through:)`).
  let old: Fields
  let new: Fields
  /// The snapshots as the host showed them.
  let shownOld: Fields
  let shownNew: Fields
  let window: Window
  let terminators: Terminators
  let pasteboard: Field
  /// What the client, and the session, know of the transition besides its text.
  let evidence: PairEvidence
  private(set) var known: Known
  /// Whether hypotheses by which the host broke its window's rule are admitted (`init(recut:)`).
  private(set) var admitsRecut = false
  /// How the old and the new `before` overlap.
  private(set) var alignment: Alignment
  /// The offset in the known text at which the new window begins (`Known.overlaidStart`); `nil` also where it
  /// isn't needed: the window's rule, or one side of the caret alone, tells it.
  private(set) var overlaidStart: Int?
  /// Whether `before` is the same in both snapshots.
  let keepsBefore: Bool
  /// Whether `after` is the same in both snapshots.
  let keepsAfter: Bool
  /// Whether the visible text is the same in both snapshots, wherever the caret stands in it.
  let keepsText: Bool
  /// Whether the two snapshots are equal, and the host reports no other caret position.
  let isUnchanged: Bool
  /// The rule of the published list that decides.
  let rule: DecisionList.Rule

  init(
    old: Fields, new: Fields, window: Window, terminators: Terminators,
    pasteboard: Field = .hidden, evidence: PairEvidence = PairEvidence(), known: Known
  ) {
    self.evidence = evidence
    shownOld = old
    shownNew = new
    let (old, new) = (old.seen(through: window), new.seen(through: window))
    self.old = old
    self.new = new
    self.window = window
    self.terminators = terminators
    self.pasteboard = pasteboard
    self.known = evidence.wasEmpty ? known.between(.document) : known
    let common = old.before.bytes.commonPrefix(new.before.bytes)
    alignment = Alignment(
      old: old.before.bytes, new: new.before.bytes, common: common, allowsCut: !window.isExact)
    keepsBefore = old.before == new.before
    let keepsAfter = old.after == new.after
    self.keepsAfter = keepsAfter
    keepsText = old.all.dropFirst(common) == new.all.dropFirst(common)
    overlaidStart =
      window.isExact || keepsBefore || keepsAfter || keepsText
      ? nil : known.overlaidStart(from: old, to: new)
    isUnchanged =
      keepsBefore && keepsAfter && shownOld.showsSameTexts(as: shownNew) && evidence.keepsCaret
    rule =
      DecisionList(
        old: shownOld, new: shownNew, window: window, pasteboard: pasteboard,
        keepsText: window == .line ? shownOld.all == shownNew.all : keepsText
      ).rule()
  }

  /// The pair of `observation`, `known` being the text around its old caret.
  @inline(__always) init(
    _ observation: borrowing LentObservation, window: Window? = nil, terminators: Terminators,
    known: Known, evidence: PairEvidence? = nil
  ) {
    var evidence = evidence ?? PairEvidence(observation)
    // The shortcut was Copy, which changes no text: what is seen was done without a key.
    if evidence.key == .shortcut, evidence.keepsPasteboard == false, observation.copies {
      evidence.key = .unpressed
    }
    self.init(
      old: observation.old, new: observation.new,
      window: window ?? observation.likelyWindow,
      terminators: terminators, pasteboard: observation.pasteboard, evidence: evidence, known: known
    )
  }

  /// The same pair as from a host that breaks its window's rule: it cuts anywhere, and shows null where there is text.
  init(recut pair: Pair) {
    self = pair
    admitsRecut = true
    if !evidence.wasEmpty { known = known.between(.open) }
    if window.isExact {
      let (old, new) = (old.before.bytes, new.before.bytes)
      alignment = Alignment(
        old: old, new: new, common: old.commonPrefix(new), allowsCut: true)
    }
  }

  /// The same pair around whose old caret there is another stretch of text, `known`.
  init(_ pair: Pair, around known: Known) {
    self = pair
    self.known = known
    admitsRecut = false
    overlaidStart = nil
  }

  /// The range that the host showed, in bytes of the known text: `known.visible`, with neighbouring lines.
  var shownRange: Range<Int> {
    let start = known.left.count - min(shownOld.before.bytes.count, known.left.count)
    let end = known.left.count + known.selected.count
    return start..<end + min(shownOld.after.bytes.count, known.right.count)
  }

  /// Whether `key` went to a host that is said to have a `full` window but may show one line alone, as most
  /// such hosts do.
  func mayShowLine(at key: Key) -> Bool { window == .full && evidence.key == key }

  /// Whether the window may show the whole document: without a session, and with a window that is cut neither
  /// at sentences nor at lines.
  var mayShowAll: Bool { known.isAlone && !window.isExact && window != .line }

  /// Whether both windows are shorter than any that a host cuts by their length.
  var isShort: Bool { max(shownOld.all.count, shownNew.all.count) < Measured.leastCut }

  /// Whether the old selection has just come to the pasteboard: after Copy a person gives the selection up by
  /// an arrow key, or pastes over it.
  var hasCopied: Bool {
    evidence.keepsPasteboard == false && !evidence.isMerged && pasteboardHoldsSelection
  }

  /// The number of visible scalars.
  var visibleScalarCount: Int {
    known.left.suffix(known.shownLeft).scalarCount + known.selected.scalarCount
      + known.right.prefix(known.shownRight).scalarCount
  }

  /// The text removed from, and added to, the end of `before`: `One tw|` → `One three|` has `w` and `hree`.
  var gone: Bytes { alignment.gone(from: old.before.bytes) }
  var come: Bytes { alignment.come(in: new.before.bytes) }

  /// Whether nothing is selected, before and after.
  var selectsNothing: Bool { old.selected.isEmpty && new.selected.isEmpty }

  /// At which ends of the window the old selection may have gone on unseen.
  ///
  /// An end counts if the selection reached it and the new window shows text there.
  var selectionMayGoOn: (left: Bool, right: Bool) {
    if old.selected.isEmpty || window.showsSelectionsWhole { return (false, false) }
    return (
      known.left.isEmpty && !new.before.isEmpty, known.right.isEmpty && !new.after.isEmpty
    )
  }

  /// The same for the selection that `action` removes; neither end where it removes none.
  func selectionMayGoOn(takenBy action: Action) -> (left: Bool, right: Bool) {
    action.removesSelection ? selectionMayGoOn : (false, false)
  }

  /// Whether the pasteboard is known to hold the old selection; or a longer text, where the selection may have
  /// been cut short or have gone on unseen, and shows
  /// `Measured.overlaid` scalars of that text.
  var pasteboardHoldsSelection: Bool {
    guard pasteboard.isShown else { return false }
    let shown = old.selected.bytes
    if pasteboard.bytes == shown { return true }
    let mayLeave = !window.showsSelectionsWhole
    let isPart =
      pasteboard.bytes.isCutShort(to: shown)
      || mayLeave && known.right.isEmpty && pasteboard.bytes.hasPrefix(shown)
      || mayLeave && known.left.isEmpty && pasteboard.bytes.hasSuffix(shown)
    return isPart && (shown.isOverlap || evidence.key == .cut)
  }

  /// Whether text inserted at the caret may be shown without the old `before`: `ア。|` → `イ|`.
  var startsAnew: Bool {
    let shown = old.before.bytes
    return admitsRecut || !window.isExact || new.before.bytes == .newline
      || shown == .newline || terminators.contains(shown.lastScalar)
  }

  /// Whether the new `before` begins where the old one did: by the window's rule, or, where a host cuts
  /// anywhere, because both show enough of the same text in front of an insertion.
  var goesOn: Bool {
    if admitsRecut || window.isExact { return !startsAnew }
    return gone.isEmpty && !come.isEmpty
      && KeptScalars.areEnough(endOf: old.before.bytes)
  }

  /// The worst agreement with which a hypothesis is admitted.
  var admitted: Fit.Agreement {
    admitsRecut ? .hidden : window.isExact ? .exact : .recut
  }

  /// Whether nothing but the line below came or went, which `sentence` shows as an `after` of `""` or null.
  var endsOtherwise: Bool {
    window == .sentence && keepsText && !keepsAfter && old.after.bytes == new.after.bytes
  }

  /// Whether the new window shows text on both sides, so that no side's end has to be interpreted.
  var showsBothSides: Bool {
    !new.before.isEmpty && !new.after.isEmpty
      && !(window == .sentence && new.before.bytes == .newline)
  }
}
