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

  /// The places that the caret, or a selection, may have where a step was taken back, or again.
  struct Places {
    private var places: [(caret: Int, length: Int?, weight: Double)] = []
    /// The ends of what came, where a selection of any length may end.
    private let ends: (start: Int, end: Int)

    init(
      around step: History.Step, at start: Int, of text: Joined, isBack: Bool,
      _ composition: Composition?, origin: Int, kept: Int, keptSelection: Int
    ) {
      let back = isBack ? step.removed : step.inserted
      let end = start + back.count
      if isBack {
        if let composition {
          let range = composition.range(in: text) ?? start..<start
          places.append((range.lowerBound, range.count, 0))
        }
        // Behind the newline that the text ends with there is no place to go back to.
        let isLost = step.caret - origin == text.count && text.last == 0x0A
        if isLost { places.append((kept, keptSelection, 0)) }
        places.append((step.caret - origin, step.selected, isLost ? Measured.undoPlace : 0))
      } else {
        places.append((end - step.endSelected, step.endSelected, 0))
      }
      let isSelectionLost = isBack && step.selected > 0 && step.inserted.isEmpty
      for caret in [end, start] {
        places.append(
          (caret, nil, isSelectionLost ? Measured.undoSelectionLost : Measured.undoPlace))
      }
      // The caret may go behind a newline that follows.
      if start + back.count < text.count, text[end] == 0x0A {
        places.append((end + 1, nil, Measured.undoPlace))
      }
      // A newline that comes back at the end may stay behind the caret.
      if back.last == 0x0A { places.append((end - 1, nil, Measured.undoPlace)) }
      // The caret may stay where it was.
      places.append((kept, keptSelection, Measured.undoPlace))
      ends = (start, end)
    }

    /// The likeliest place of a selection of `selected` bytes, or of the caret; `agreement` says what each
    /// weighs by what was seen, or nothing where something else was.
    func first(
      of selected: Int, where agreement: (Int) -> Double?
    ) -> (caret: Int, weight: Double)? {
      for place in places where place.length ?? selected == selected {
        if let weight = agreement(place.caret) { return (place.caret, place.weight + weight) }
      }
      if selected == 0 { return nil }
      for end in [ends.start, ends.end] {
        if let weight = agreement(end - selected) {
          return (end - selected, Measured.undoPlace + weight)
        }
      }
      return nil
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
