extension Retracing {
  /// Where text that was composed began, in units of UTF-16 behind an offset, and how long it was:
  /// Chromium selects as much there when it is undone.
  struct Composition {
    var start: Int
    var skipped: Int
    var length: Int

    init?(_ step: History.Step, at start: Int) {
      guard let composed = step.composed else { return nil }
      self.init(of: step.inserted, from: composed, at: start)
    }

    init(of text: [UInt8], from composed: Int, at start: Int) {
      self.start = start
      skipped = text[..<composed].utf16Count
      length = text[composed...].utf16Count
    }

    /// Where in `text` what is selected begins, in bytes; `nil` where that lies beyond.
    func first(in text: Joined) -> Int? { text.offset(start, movedBy: skipped) }

    /// What is selected of `text`, in bytes; `nil` where it would reach beyond.
    func range(in text: Joined) -> Range<Int>? {
      guard let first = first(in: text),
        let last = text.offset(first, movedBy: length)
      else { return nil }
      return first..<last
    }
  }

  /// The likeliest place of a selection of `selected` bytes, or of the caret, where a step was taken back,
  /// or again; `agreement` says what each weighs by what was seen, or nothing where something else was.
  func likeliestPlace(
    of selected: Int, around step: History.Step, at start: Int, of text: Joined, isBack: Bool,
    _ composition: Composition?, kept: (caret: Int, length: Int),
    where agreement: (Int) -> Double?
  ) -> (caret: Int, weight: Double)? {
    var found: (caret: Int, weight: Double)?
    func look(_ caret: Int, _ length: Int? = nil, _ weight: Double = Measured.undoPlace) {
      guard found == nil, length ?? selected == selected, let seen = agreement(caret) else {
        return
      }
      found = (caret, weight + seen)
    }
    let back = isBack ? step.removed : step.inserted
    let end = start + back.count
    if isBack {
      if let composition {
        let range = composition.range(in: text) ?? start..<start
        look(range.lowerBound, range.count, 0)
      }
      // Behind the newline that the text ends with there is no place to go back to.
      let isLost = step.caret - origin == text.count && text.last == .newline
      if isLost { look(kept.caret, kept.length, 0) }
      look(step.caret - origin, step.selected, isLost ? Measured.undoPlace : 0)
    } else {
      look(end - step.endSelected, step.endSelected, 0)
    }
    let isSelectionLost = isBack && step.selected > 0 && step.inserted.isEmpty
    for caret in [end, start] {
      look(caret, nil, isSelectionLost ? Measured.undoSelectionLost : Measured.undoPlace)
    }
    // The caret may go behind a newline that follows.
    if end < text.count, text[end] == .newline { look(end + 1) }
    // A newline that comes back at the end may stay behind the caret.
    if back.last == .newline { look(end - 1) }
    // The caret may stay where it was.
    look(kept.caret, kept.length)
    // A selection may end where what came does.
    if selected > 0 { for end in [start, end] { look(end - selected) } }
    return found
  }
}

extension Sequence<UInt8> {
  /// How many units of UTF-16 the text takes.
  fileprivate var utf16Count: Int {
    reduce(0) { $0 + (Bytes.isContinuation($1) ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }
}

extension Joined {
  /// The offset that lies `units` of UTF-16 behind `offset`; `nil` where the text ends before.
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
