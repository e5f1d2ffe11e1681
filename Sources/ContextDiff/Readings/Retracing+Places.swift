extension Retracing {
  /// Where text that was composed began, in units of UTF-16 behind an offset, and how long it was:
  /// Chromium selects as much there when it is undone.
  struct ComposedRun {
    var start: Int
    var skipped: Int
    var length: Int

    init?(_ step: History.Step, at start: Int) {
      guard let composed = step.composed else { return nil }
      self.start = start
      skipped = step.inserted[..<composed].utf16Count
      length = step.inserted[composed...].utf16Count
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

  /// The likeliest place of the caret, or of what is selected now, in `text`, where a step was taken back,
  /// or again; with `kept` the place where the caret is if nothing moves it.
  func likeliestPlace(
    around step: History.Step, at start: Int, of text: Joined, isBack: Bool,
    _ composition: ComposedRun?, kept: Int, _ pair: borrowing Pair
  ) -> (caret: Int, weight: Double)? {
    var search = Search()
    let selected = pair.new.selected.bytes.count
    let keptLength = pair.known.selected.count
    let back = isBack ? step.removed : step.inserted
    let end = start + back.count
    if isBack {
      if let composition {
        let range = composition.range(in: text) ?? start..<start
        look(range.lowerBound, range.count, 0, in: text, pair, &search)
      }
      // Behind the newline that the text ends with there is no place to go back to.
      let isLost = step.caret - origin == text.count && text.last == .newline
      if isLost { look(kept, keptLength, 0, in: text, pair, &search) }
      look(
        step.caret - origin, step.selected, isLost ? Measured.undoPlace : 0, in: text, pair, &search
      )
    } else {
      look(end - step.endSelected, step.endSelected, 0, in: text, pair, &search)
    }
    let weight =
      isBack && step.selected > 0 && step.inserted.isEmpty
      ? Measured.undoSelectionLost : Measured.undoPlace
    look(end, selected, weight, in: text, pair, &search)
    look(start, selected, weight, in: text, pair, &search)
    // The caret may go behind a newline that follows.
    if end < text.count, text[end] == .newline {
      look(end + 1, selected, Measured.undoPlace, in: text, pair, &search)
    }
    // A newline that comes back at the end may stay behind the caret.
    if back.last == .newline {
      look(end - 1, selected, Measured.undoPlace, in: text, pair, &search)
    }
    // The caret may stay where it was.
    look(kept, keptLength, Measured.undoPlace, in: text, pair, &search)
    // A selection may end where what came does.
    if selected > 0 {
      look(start - selected, selected, Measured.undoPlace, in: text, pair, &search)
      look(end - selected, selected, Measured.undoPlace, in: text, pair, &search)
    }
    return search.found
  }

  private struct Search {
    /// The first place that shows what was seen, and what it weighs.
    var found: (caret: Int, weight: Double)?
    /// A place that does not: several of those that are looked at are often the same one.
    var missed: Int?
  }

  /// Looks whether `length` bytes selected at `caret` show what was seen, where nothing else was found.
  private func look(
    _ caret: Int, _ length: Int, _ weight: Double, in text: Joined, _ pair: borrowing Pair,
    _ search: inout Search
  ) {
    let selected = pair.new.selected.bytes.count
    guard search.found == nil, length == selected, caret != search.missed else { return }
    if let seen = fitWeight(showing: text, caret, selected, pair) {
      search.found = (caret, weight + seen)
    } else {
      search.missed = caret
    }
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
