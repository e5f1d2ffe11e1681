/// The text that announced edits exchange near the caret, and the way of the caret; offsets are in bytes, from the old
/// caret or the left end of the old selection.
struct AnnouncedExchange {
  /// Where `removed` begins.
  let start: Int
  let removed: [UInt8]
  let inserted: [UInt8]
  /// The new caret.
  let caret: Int
  /// How far the caret goes; `nil` where unknown text may have been removed left of it.
  var cursorOffset: Extent?
  /// Whether unknown text may have been removed besides.
  var isPartial = false
}

extension AnnouncedExchange {
  /// The exchange between two windows that begin and end at the same places of the text.
  ///
  /// `kept` is how many bytes at the beginning and at the end were not changed, where that is known.
  init(from old: Fields, to new: Fields, keeping kept: (start: Int, end: Int)? = nil) {
    let before = old.before.bytes
    let common = before.commonStart(new.before.bytes)
    cursorOffset =
      Extent(of: new.before.bytes.dropFirst(common))
      - Extent(of: before.dropFirst(common))
    let (start, end) = kept ?? old.commonEndsAtCaret(new)
    self.start = start - before.count
    removed = old.all.dropFirst(start).dropLast(end).contiguous
    inserted = new.all.dropFirst(start).dropLast(end).contiguous
    caret = new.before.bytes.count - before.count
  }

  /// The same exchange from the caret of `old`, which stands so many bytes behind the one from which this was made.
  func made(from old: Fields, behindCaret distance: Int) -> AnnouncedExchange {
    let end = old.before.bytes.count
    let way = Extent(from: end - distance, to: end, in: old.all)
    return AnnouncedExchange(
      start: start - distance, removed: removed, inserted: inserted, caret: caret - distance,
      cursorOffset: cursorOffset.map { $0 - way }, isPartial: isPartial)
  }

  /// Whether `plain` has the same text and the same way of the caret.
  func isSame(as plain: Transition) -> Bool {
    plain.cursorOffset == cursorOffset && removed.text.isSame(as: plain.removed)
      && inserted.text.isSame(as: plain.inserted)
  }

  /// The exchange of edits that lead from `start` to `end`, which the new snapshot of `plain` shows, cut by
  /// `window`; `nil` stands for a window that is not known.
  ///
  /// `unchanged` is what they left as it is of `start`, where they were made to just that text.
  ///
  /// Fails where the edits inserted so much that nothing of `start` is left in `end`.
  init?(
    from start: AnnouncedText, to end: AnnouncedText,
    leaving unchanged: AnnouncedText.Unchanged? = nil,
    shownBy plain: Session.Unannounced, window: Window?
  ) {
    let kept = unchanged.map {
      (start: max(0, $0.left - end.left.beyond), end: max(0, $0.right - end.right.beyond))
    }
    let made = start.lendAll(until: end) { start in
      end.lendAll { shown in
        var start = start
        start.selected = plain.old.selected
        return AnnouncedExchange(from: start, to: shown, keeping: kept)
      }
    }
    guard let made else { return nil }
    self = made
    // A deletion that reaches beyond the known text removes no more where the document ends there.
    let isOpenLeft = end.left.isExceeded && !plain.new.beginsDocument(by: window)
    if isOpenLeft { cursorOffset = nil }
    isPartial = isOpenLeft || end.right.isExceeded && !plain.new.endsDocument(by: window)
  }
}

extension Fields {
  /// The lengths, in bytes, of the common beginning and end of this text and that of `new`.
  ///
  /// Where the text between them repeats its surroundings, so that it may stand at several places, it is the one at the
  /// caret: `hello| world` to `hello brave| world` is ` brave`, not `brave `.
  fileprivate func commonEndsAtCaret(_ new: Fields) -> (start: Int, end: Int) {
    let common = all.commonEnds(new.all)
    let caret = min(before.bytes.count, new.before.bytes.count)
    guard caret < common.start else { return common }
    let end = all.dropFirst(caret).commonEnd(new.all.dropFirst(caret))
    return caret + end == common.start + common.end ? (caret, end) : common
  }

  /// Whether the document begins at the caret; a line's window never tells.
  func beginsDocument(by window: Window?) -> Bool {
    window != nil && window != .line && before.isEmpty
  }

  /// Whether the document ends at the caret.
  func endsDocument(by window: Window?) -> Bool {
    switch window {
    case .full: after.isEmpty
    case .sentence: !after.isShown
    case .line, .paragraph, nil: false
    }
  }
}
