extension Retracing {
  /// The range of composed text in a step's inserted text: when the step is undone, Chromium selects this range of
  /// whatever then stands there.
  struct ComposedRun {
    /// Where the step inserted its text, in bytes.
    var start: Int
    /// The UTF-16 units between there and the composed text.
    var skipped: Int
    /// The length of the composed text, in UTF-16 units.
    var length: Int

    init?(_ step: History.Step, at start: Int) {
      guard let composed = step.composed else { return nil }
      self.start = start
      (skipped, length) = step.inserted.withBytes {
        (
          Extent(of: $0.prefix(composed)).utf16,
          Extent(of: $0.dropFirst(composed)).utf16
        )
      }
    }

    /// The start of the selected range in `text`, in bytes; `nil` where it would lie beyond.
    func first(in text: Joined) -> Int? { text.offset(start, movedBy: skipped) }

    /// The selected range of `text`, in bytes; `nil` where it would reach beyond.
    func range(in text: Joined) -> Range<Int>? {
      guard let first = first(in: text),
        let last = text.offset(first, movedBy: length)
      else { return nil }
      return first..<last
    }
  }

  /// The first place that agrees for the caret, or the selection's left end, in `text` after `step` was undone
  /// (`isBack`) or redone, its weight, and whether the window shows it by its rule; `next` is what would be redone next, and
  /// `kept` the caret if it stays where it is in the text.
  func likeliestPlace(
    around step: History.Step, at start: Int, of text: Joined, isBack: Bool,
    next: History.Step?, _ composition: ComposedRun?, kept: Int, _ pair: Pair
  ) -> (caret: Int, weight: Double, isExact: Bool)? {
    let selected = pair.new.selected.bytes.count
    var found: (caret: Int, weight: Double, isExact: Bool)?
    // The last place that does not agree; often several of the places tried are the same.
    var missed: Int?
    // Unless a place was found, tries `length` bytes selected at `caret`, which adds `weight`.
    func look(_ caret: Int, _ length: Int, _ weight: Double) {
      guard found == nil, length == selected, caret != missed else { return }
      if let fit = fit(showing: text, caret, pair) {
        found = (caret, weight + fit.weight, fit.isExact)
      } else {
        missed = caret
      }
    }
    let keptLength = pair.known.selected.count
    let back = isBack ? step.removed : step.inserted
    let end = start + back.count
    if isBack {
      if let composition {
        let range = composition.range(in: text) ?? start..<start
        look(range.lowerBound, range.count, 0)
      }
      // Behind a newline at the text's end there is no place to return to.
      let isLost = step.caret - origin == text.count && text.last == .newline
      if isLost { look(kept, keptLength, 0) }
      look(step.caret - origin, step.selected, isLost ? Measured.undoPlace : 0)
    } else {
      look(end - step.endSelected, step.endSelected, 0)
    }
    let elsewhere = !isBack && selected > 0 ? Measured.redoSelects : Measured.undoPlace
    let weight =
      isBack && step.selected > 0 && step.inserted.isEmpty ? Measured.undoSelectionLost : elsewhere
    look(end, selected, weight)
    look(start, selected, weight)
    // Where the host keeps the caret with each state of the text, it comes to where the next edit began.
    if let next { look(next.caret - origin, next.selected, elsewhere) }
    // The caret may stand behind the newline that follows.
    if end < text.count, text[end] == .newline { look(end + 1, selected, elsewhere) }
    // A newline at the end of the text that came may stand right of the caret.
    if back.last == .newline { look(end - 1, selected, elsewhere) }
    // The caret may stay where it was.
    look(kept, keptLength, elsewhere)
    // A selection may end where the text that came begins or ends.
    if selected > 0 {
      look(start - selected, selected, elsewhere)
      look(end - selected, selected, elsewhere)
    }
    return found
  }
}

extension Joined {
  /// The offset `units` UTF-16 units behind `offset`; `nil` where the text ends before.
  fileprivate func offset(_ offset: Int, movedBy units: Int) -> Int? {
    if offset > count { return nil }
    var offset = offset
    var left = units
    while left > 0 {
      guard offset < count else { return nil }
      left -= self[offset] >= 0xF0 ? 2 : 1
      offset += 1
      while offset < count, Bytes.isContinuation(self[offset]) { offset += 1 }
    }
    return offset
  }
}
