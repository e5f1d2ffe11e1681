/// The caret moved to another place within the visible text, or the selection given up there.
enum CaretReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    let visible = pair.known.visible
    var reading = Placing(pair)
    let shown = pair.new.before.bytes.count
    if pair.keepsText && !pair.keepsBefore && pair.showsBothSides {
      return reading.accept(visible.lowerBound + shown, pair, &contest)
    }
    // If the window stands still, the caret is behind as many bytes as `before` has.
    if shown > 0 || pair.keepsText { reading.put(visible.lowerBound + shown, pair, &contest) }
    if !pair.keepsBefore && pair.keepsText { return }
    if pair.window != .sentence {
      reading.putWhereAligned(pair, &contest)
      if let start = pair.overlaidStart { reading.put(start + shown, pair, &contest) }
      // In the line below, if the new window shows nothing else.
      if pair.known.right.first == .newline {
        reading.put(pair.known.left.count + pair.known.selected.count + 1 + shown, pair, &contest)
      }
    }
    // At the end of the line above, of which a `line` window showed nothing.
    if pair.window == .line, pair.known.left.last == .newline, pair.old.selected.isEmpty {
      reading.put(pair.known.left.count - 1, pair, &contest)
    }
    // In the sentence right of the old caret.
    if pair.old.selected.isEmpty {
      reading.put(pair.known.left.count + shown, pair, &contest)
    }
    // In a neighbouring line that the host showed besides the caret's.
    if pair.shownRange.lowerBound < visible.lowerBound {
      reading.put(pair.shownRange.lowerBound + shown, pair, &contest)
    }
    if pair.shownRange.upperBound > visible.upperBound {
      reading.put(visible.upperBound + 1 + shown, pair, &contest)
    }
    // At an end of the visible text, where unseen text comes into view.
    reading.put(visible.lowerBound, pair, &contest)
    reading.put(visible.upperBound, pair, &contest)
    if !pair.old.selected.isEmpty {
      // At an end of the old selection, and in one of its sentences or lines.
      reading.put(pair.known.left.count, pair, &contest)
      reading.put(pair.known.left.count + pair.known.selected.count, pair, &contest)
      reading.scan(pair, &contest)
    }
  }

  private struct Placing {
    /// The kind of moving the caret within the visible text.
    let kind: Kind
    /// The prior of a place that is not next to the old caret; `nil` until first needed, because all visible scalars
    /// are counted for it.
    private var priorElsewhere: Double?

    init(_ pair: Pair) {
      kind = pair.old.selected.isEmpty ? .cursorMove : .deselection
    }

    /// The prior of the caret at `caret`: an arrow key moves it by one, or to the end of a long selection.
    private mutating func prior(_ caret: Int, _ pair: Pair) -> Double {
      let known = pair.known
      let left = known.left.count
      let isNext =
        caret >= left - known.left.lastScalarLength
        && caret <= left + known.right.firstScalarLength
      let isEnd =
        caret == left + known.selected.count
        && (pair.hasCopied || known.selected.isLonger(thanScalars: Measured.longSelection))
      return isNext || isEnd ? Model.moved + Measured.nextPlace : elsewhere(pair)
    }

    private mutating func elsewhere(_ pair: Pair) -> Double {
      // One place more stands for all unseen ones.
      let prior =
        priorElsewhere ?? Model.moved + Model.place(among: pair.visibleScalarCount + 1)
      priorElsewhere = prior
      return prior
    }

    /// Proposes that the caret is at `caret`; returns whether text beyond the first 8 bytes was compared.
    @discardableResult
    mutating func put(_ caret: Int, _ pair: Pair, _ contest: inout Contest) -> Bool {
      let sight = pair.shownRange
      guard caret >= 0, caret <= sight.upperBound || caret == pair.nextLineStart,
        kind == .deselection || caret != pair.known.left.count
      else { return false }
      // Most places are refuted by the first characters.
      if !contest.isTraced,
        pair.differsNearCaret(left: caret, right: caret, in: pair.known.text)
      {
        return false
      }
      contest.propose(
        caret < sight.lowerBound || caret > sight.upperBound ? .outOfRangeTap : kind,
        .move(to: caret), prior: prior(caret, pair), for: pair)
      return true
    }

    /// Proposes the place where the new window, cut differently, overlaps the old one.
    mutating func putWhereAligned(_ pair: Pair, _ contest: inout Contest) {
      let gone = pair.gone.count
      let come = pair.come.count
      if come == 0, gone > 0, pair.alignment.kept > 0 {
        put(pair.known.left.count - gone, pair, &contest)
      } else if gone == 0, come > 0, !pair.keepsAfter {
        // The caret moved right, over the old selection or `after`.
        put(pair.known.left.count + come, pair, &contest)
      }
    }

    /// Admits that the caret is at `caret`, without a comparison: `keepsText` has compared all of the text.
    mutating func accept(_ caret: Int, _ pair: Pair, _ contest: inout Contest) {
      contest.accept(
        Hypothesis(
          kind: kind, action: .move(to: caret), weight: prior(caret, pair),
          keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count,
          // A selection may have been shown cut short.
          isProven: kind == .cursorMove))
    }

    /// How many bytes `scan` compares at most: in a text so long and repetitive no place stands out.
    private static let scanLimit = 1 << 23
    /// What each place counts besides, in bytes: one that agrees takes about 600 instructions, another 40.
    private static let scanCost = (agreeing: 1 << 10, other: 1 << 6)

    /// How many places that agree `scan` proposes at most: among so many none stands out.
    private static let mostAgreeing = 128

    /// Proposes the caret in each sentence and line that begins within the old selection.
    mutating func scan(_ pair: Pair, _ contest: inout Contest) {
      let start = pair.known.left.count
      let text = pair.old.selected.bytes
      let shown = pair.new.before.bytes.count
      let length = shown + pair.new.after.bytes.count
      let (known, selected) = (pair.known.text, pair.known.selected)
      let end = pair.shownRange.upperBound
      let (last, next) = (pair.new.before.bytes.last, pair.new.after.bytes.first)
      put(start + shown, pair, &contest)
      // The place that the host's caret positions name may be none of the first that agree.
      if let told = pair.evidence.caretOffset, told > 0 {
        put(start + text.byteOffset(ofScalar: told), pair, &contest)
      }
      var compared = 0
      var agreeing = 0
      var index = 0
      while index < text.count, compared < Placing.scanLimit, agreeing < Placing.mostAgreeing {
        let rest = text.dropFirst(index)
        let scalar = rest.firstScalar
        index += rest.firstScalarLength
        let isLineEnd = scalar == .newline
        guard isLineEnd || pair.terminators.contains(scalar) else { continue }
        let caret =
          start + index + (isLineEnd && pair.new.before.bytes == .newline ? 0 : shown)
        if !contest.isTraced {
          // One byte beside a place refutes most; most others, such as the lines of a log, differ farther off.
          let place = caret - start
          if place < selected.count, let next, selected[place] != next { continue }
          if place > 0, place <= selected.count, let last, selected[place - 1] != last { continue }
          if caret > end || pair.differsNearCaret(left: caret, right: caret, in: known) { continue }
          if let same = pair.agreeing(at: caret, in: known) {
            compared += same + Placing.scanCost.other
            continue
          }
        }
        guard put(caret, pair, &contest) else { continue }
        agreeing += 1
        // Where the host reports caret positions, the distance to this one has to be counted.
        compared +=
          length + Placing.scanCost.agreeing
          + (pair.evidence.caretOffset == nil ? 0 : caret - start)
      }
    }
  }
}

extension Pair {
  /// The start of the unseen line below, where the old caret is at its line's end; else `nil`.
  fileprivate var nextLineStart: Int? {
    guard known.right.first == .newline, old.selected.isEmpty else { return nil }
    return known.left.count + 1
  }

  /// How many bytes, from `caret` on, `text` and the new window have in common before a byte differs; `nil` where none
  /// differs as far as both reach.
  fileprivate func agreeing(at caret: Int, in text: Joined) -> Int? {
    let (left, before) = (text.prefix(caret), Joined(new.before.bytes))
    let (right, after) = (text.dropFirst(caret), Joined(new.after.bytes))
    let sameRight = right.commonPrefix(after)
    if sameRight < min(right.count, after.count) { return sameRight }
    let sameLeft = left.commonSuffix(before)
    return sameLeft < min(left.count, before.count) ? sameRight + sameLeft : nil
  }
}
