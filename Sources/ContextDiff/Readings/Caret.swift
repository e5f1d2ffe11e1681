/// The caret put to another place within the visible text, or a selection given up there.
enum CaretReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let visible = pair.known.visible
    let reading = Placing(pair)
    let shown = pair.new.before.bytes.count
    if pair.keepsText && !pair.keepsBefore && pair.hasPlainEnds {
      return reading.accept(visible.lowerBound + shown, pair, &contest)
    }
    // Where nothing new comes into view, the caret stands behind what `before` shows.
    if shown > 0 { reading.put(visible.lowerBound + shown, pair, &contest) }
    if !pair.keepsBefore && pair.keepsText { return }
    // In the sentence that was right of the caret.
    if shown > 0 && pair.old.selected.isEmpty {
      reading.put(pair.known.left.count + shown, pair, &contest)
    }
    // At an end of the visible text, where what comes into view was not known.
    reading.put(visible.lowerBound, pair, &contest)
    reading.put(visible.upperBound, pair, &contest)
    // In one of the sentences or lines that were selected.
    if !pair.old.selected.isEmpty { reading.scan(pair, &contest) }
  }

  private struct Placing {
    let kind: Kind
    let prior: Double

    init(_ pair: borrowing Pair) {
      kind = pair.old.selected.isEmpty ? .cursorMove : .deselection
      prior = Prior.moved + Prior.place(among: pair.known.visible.count)
    }

    func put(_ caret: Int, _ pair: borrowing Pair, _ contest: inout Contest) {
      let visible = pair.known.visible
      guard caret <= visible.upperBound, kind == .deselection || caret != pair.known.left.count
      else { return }
      // Most places part from what was seen in the first characters.
      if contest.trials == nil, pair.partsAtOnce(right: caret) { return }
      contest.propose(kind, .move(to: caret), prior: prior, for: pair)
    }

    /// Takes the caret there for seen: the text on both sides has been compared as a whole.
    func accept(_ caret: Int, _ pair: borrowing Pair, _ contest: inout Contest) {
      contest.accept(
        Candidate(
          kind: kind, action: .move(to: caret), weight: prior, agreement: .exact,
          keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count))
    }

    /// Tries the caret in each sentence and line that begins within the old selection.
    ///
    /// Each comparison ends within its own sentence, so that all of them are linear.
    func scan(_ pair: borrowing Pair, _ contest: inout Contest) {
      let start = pair.known.left.count
      let text = pair.old.selected.bytes
      let shown = pair.new.before.bytes.count
      put(start + shown, pair, &contest)
      var index = 0
      while index < text.count {
        let rest = text.dropFirst(index)
        let scalar = rest.firstScalar
        index += rest.firstScalarLength
        if scalar == 0x0A {
          put(start + index + (pair.new.before.bytes == .newline ? 0 : shown), pair, &contest)
        } else if pair.terminators.contains(scalar) {
          put(start + index + shown, pair, &contest)
        }
      }
    }
  }
}
