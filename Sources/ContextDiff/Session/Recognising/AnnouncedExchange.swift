/// What is exchanged between two texts around a caret that begin and end at the same places.
struct AnnouncedExchange {
  /// `nil` where the caret may have gone farther than that.
  var cursorOffset: Extent?
  let rewrite: Session.Rewrite
  /// Whether more was taken away than is known.
  var isPartial = false

  init(from old: Fields, to new: Fields) {
    let before = old.before.bytes
    let common = before.scalarStart(atOrBefore: before.commonPrefix(new.before.bytes))
    cursorOffset =
      Extent(of: Joined(new.before.bytes.dropFirst(common)))
      - Extent(of: Joined(before.dropFirst(common)))
    let (start, end) = old.all.commonEnds(new.all)
    rewrite = Session.Rewrite(
      start: start - before.count, removed: old.all.dropFirst(start).dropLast(end).contiguous,
      inserted: new.all.dropFirst(start).dropLast(end).contiguous,
      caret: new.before.bytes.count - before.count)
  }

  /// What is known to be done to the text, and whether `plain` says the same.
  func rewrite(beside plain: Transition) -> (Session.Rewrite, isPlain: Bool)? {
    if isPartial { return nil }
    let isPlain =
      plain.cursorOffset == cursorOffset && !plain.isPartial
      && rewrite.removed.elementsEqual((plain.removed ?? "").utf8)
      && rewrite.inserted.elementsEqual((plain.inserted ?? "").utf8)
    return (rewrite, isPlain)
  }

  var inserted: String? { rewrite.inserted.text }
  var removed: String? { rewrite.removed.text }

  /// What edits exchange that lead from `start` to `end`, which `observation` shows by `window`, if that
  /// is known; `nil` where too little is known of the two.
  init?(
    from start: AnnouncedText, to end: AnnouncedText,
    shownBy observation: borrowing LentObservation,
    window: Window?
  ) {
    let made = start.lendAll(until: end) { start in
      end.lendAll { end in
        var start = start
        start.selected = observation.old.selected
        return AnnouncedExchange(from: start, to: end)
      }
    }
    guard let made else { return nil }
    self = made
    // What reached beyond the known took no more than that where the document ends.
    let isOpenLeft = end.reachesLeft && !observation.showsStart(by: window)
    if isOpenLeft { cursorOffset = nil }
    isPartial = isOpenLeft || end.reachesRight && !observation.showsEnd(by: window)
  }
}

extension LentObservation {
  /// Whether the new snapshot shows that the document begins there: that of a line alone never does.
  fileprivate func showsStart(by window: Window?) -> Bool {
    guard let window else { return false }
    return new.before.isEmpty && window != .line
  }

  /// Whether the new snapshot shows that the document ends there.
  fileprivate func showsEnd(by window: Window?) -> Bool {
    switch window {
    case .full: new.after.isEmpty
    case .sentence: !new.after.isShown
    case .line, .paragraph, nil: false
    }
  }
}
