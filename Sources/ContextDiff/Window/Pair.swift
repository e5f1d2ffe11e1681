/// A pair of snapshots, borrowed, with what the readings share.
///
/// It is not copied: it is large, and every proposal of every reading looks at it.
struct Pair: ~Copyable {
  /// The snapshots, as the window's rule reads them.
  let old: Fields
  let new: Fields
  /// The snapshots, as the host showed them.
  let shownOld: Fields
  let shownNew: Fields
  let window: Window
  let terminators: Terminators
  let pasteboard: Field
  /// What else the client knows of what lies between the two.
  let told: PairEvidence
  let known: Known
  /// Whether readings that need another cut than the window's rule are admitted.
  let admitsRecut: Bool
  /// How what was shown left of the caret and what is shown there now lie over each other.
  let alignment: Alignment
  /// Where in the known text the new window begins (`overlaidStart(from:to:)`).
  let overlaidStart: Int?
  /// Whether `before` reads as it did.
  let keepsBefore: Bool
  /// Whether `after` reads as it did.
  let keepsAfter: Bool
  /// Whether the visible text reads as it did, wherever the caret stands in it.
  let keepsText: Bool
  /// Whether the text that the host showed reads as it did.
  let keepsShownText: Bool
  /// Whether the two snapshots are equal, and the caret stands at the same place as far as that is told.
  let isUnchanged: Bool
  /// The line of the published list that decides.
  let rule: DecisionList.Rule

  init(
    old: Fields, new: Fields, window: Window, terminators: Terminators,
    pasteboard: Field = .hidden, told: PairEvidence = PairEvidence(), known: Known,
    admitsRecut: Bool = false, alignment: Alignment? = nil, overlaidStart: Int?? = .none
  ) {
    self.told = told
    shownOld = old
    shownNew = new
    let (old, new) = (old.read(by: window), new.read(by: window))
    self.old = old
    self.new = new
    self.window = window
    self.terminators = terminators
    self.pasteboard = pasteboard
    self.known = known
    self.admitsRecut = admitsRecut
    let common = old.before.bytes.commonPrefix(new.before.bytes)
    self.alignment =
      alignment
      ?? Alignment(
        old: old.before.bytes, new: new.before.bytes, common: common,
        allowsCut: admitsRecut || !window.isExact)
    keepsBefore =
      old.before.isShown == new.before.isShown && old.before.bytes.count == common
      && new.before.bytes.count == common
    let keepsAfter = old.after == new.after
    self.keepsAfter = keepsAfter
    keepsText =
      old.all.count == new.all.count && old.all.dropFirst(common) == new.all.dropFirst(common)
    self.overlaidStart =
      overlaidStart
      ?? (window.isExact || keepsBefore || keepsAfter || keepsText
        ? nil : known.overlaidStart(from: old, to: new))
    isUnchanged =
      keepsBefore && keepsAfter && old.selected == new.selected
      && (window != .line || shownOld == shownNew) && told.keepsCaret
    keepsShownText = window == .line ? shownOld.all == shownNew.all : keepsText
    rule =
      DecisionList(
        old: shownOld, new: shownNew, window: window, pasteboard: pasteboard,
        keepsText: keepsShownText
      ).rule()
  }

  /// The pair of `observation`, around which `known` is known.
  @inline(__always) init(
    _ observation: borrowing LentObservation, window: Window? = nil, terminators: Terminators,
    known: Known, told: PairEvidence? = nil
  ) {
    var told = told ?? PairEvidence(observation)
    // The shortcut copied; what is seen came by no key.
    if told.key == .shortcut, told.keepsPasteboard == false, observation.copies {
      told.key = Key.none
    }
    self.init(
      old: observation.old, new: observation.new,
      window: window ?? observation.evidence.window ?? .sentence,
      terminators: terminators, pasteboard: observation.pasteboard, told: told, known: known)
  }

  /// `pair` as it reads for a host that cuts its window where it likes, and shows null where it
  /// likes.
  init(recut pair: borrowing Pair) {
    self.init(
      old: pair.shownOld, new: pair.shownNew, window: pair.window, terminators: pair.terminators,
      pasteboard: pair.pasteboard, told: pair.told, known: pair.known.withOpenEnds,
      admitsRecut: true, alignment: pair.window.isExact ? nil : pair.alignment,
      overlaidStart: .some(pair.overlaidStart))
  }

  /// What of the known text the host showed, a neighbour of the line included.
  var inSight: Range<Int> {
    let start = known.left.count - min(shownOld.before.bytes.count, known.left.count)
    let end = known.left.count + known.selected.count
    return start..<end + min(shownOld.after.bytes.count, known.right.count)
  }

  /// Whether `key` went to a host that may show a line alone: most toolkits do of which `full` is told.
  func mayShowLine(at key: Key) -> Bool { window == .full && told.key == key }

  /// Whether all that there is may be in view: nothing but the pair is known, and the window is cut by no
  /// sentence or line.
  var mayShowAll: Bool { known.isAlone && !window.isExact && window != .line }

  /// Whether what was selected has just come to the pasteboard: who copies it gives the selection up then, by
  /// an arrow, or puts it in again in its own place.
  var hasCopied: Bool {
    told.keepsPasteboard == false && !told.isMerged && pasteboardHoldsSelection
  }

  /// How many scalars are visible.
  var visibleScalarCount: Int {
    known.left.suffix(known.shownLeft).scalarCount + known.selected.scalarCount
      + known.right.prefix(known.shownRight).scalarCount
  }

  /// The text that is gone, and the text that has come, at the end of `before`.
  var gone: Bytes { alignment.gone(from: old.before.bytes) }
  var come: Bytes { alignment.come(in: new.before.bytes) }

  /// At which ends of the window the old selection may go on beyond.
  ///
  /// It does where it reaches them and text is seen there now; a sentence's or a paragraph's window shows a
  /// selection whole.
  var selectionMayGoOn: (left: Bool, right: Bool) {
    if old.selected.isEmpty || window != .line && window != .full { return (false, false) }
    return (
      known.left.isEmpty && !new.before.isEmpty, known.right.isEmpty && !new.after.isEmpty
    )
  }

  /// Where the selection that `action` takes away may go on beyond the window; at neither end where it takes none away.
  func selectionMayGoOn(takenBy action: Action) -> (left: Bool, right: Bool) {
    action.removesSelection ? selectionMayGoOn : (false, false)
  }

  /// On which sides nothing is known of what lies beyond the text once `action` is done: it joins a line, or takes away
  /// a selection that may go on there.
  func edges(openedBy action: Action) -> (left: Edge?, right: Edge?) {
    let mayGoOn = selectionMayGoOn(takenBy: action)
    return (
      action.joinsPreviousLine || mayGoOn.left ? .open : nil,
      action.joinsNextLine || mayGoOn.right ? .open : nil
    )
  }

  /// Whether the known pasteboard holds the old selection; of one that is shown cut short, its two ends and more, of
  /// one that may go on beyond the window what is shown of it.
  var pasteboardHoldsSelection: Bool {
    guard pasteboard.isShown else { return false }
    let shown = old.selected.bytes
    if pasteboard.bytes == shown { return true }
    let mayGoOn = selectionMayGoOn
    let isPart =
      pasteboard.bytes.isCutShort(to: shown) || mayGoOn.right && pasteboard.bytes.hasPrefix(shown)
      || mayGoOn.left && pasteboard.bytes.hasSuffix(shown)
    return isPart && shown.scalarCount(upTo: Measured.overlaid) == Measured.overlaid
  }

  /// Whether text put in at the caret may be shown without what was shown before it.
  var startsAnew: Bool {
    let shown = old.before.bytes
    return admitsRecut || !window.isExact || new.before.bytes == .newline
      || shown == .newline || terminators.contains(shown.lastScalar)
  }

  /// Whether the window begins where it did: as its rule has it, or, where it has none, by enough text in
  /// front of what came.
  var goesOn: Bool {
    if admitsRecut || window.isExact { return !startsAnew }
    return gone.isEmpty && !come.isEmpty
      && KeptScalars.count(endOf: old.before.bytes) >= KeptScalars.enough
  }

  /// The worst agreement that a reading may have.
  var admitted: Fit.Agreement {
    admitsRecut ? .hidden : window.isExact ? .exact : .recut
  }

  /// Whether a line follows now where none did, or none where one did: behind a line's end nothing else
  /// of it is in sight (MODEL, part 1).
  var endsOtherwise: Bool {
    window == .sentence && keepsText && !keepsAfter && old.after.bytes == new.after.bytes
  }

  /// Whether the text is seen on both sides now, so that nothing depends on how an end is shown.
  var hasPlainEnds: Bool {
    !new.before.isEmpty && !new.after.isEmpty
      && !(window == .sentence && new.before.bytes == .newline)
  }
}
