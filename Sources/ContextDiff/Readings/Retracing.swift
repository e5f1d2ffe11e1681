/// Undoes, or redoes, the steps of a history one by one, predicts the text and the caret after each, and compares
/// the prediction with the new window.
struct Retracing {
  let history: History
  /// The known text's start, on the scale of the history's positions.
  let origin: Int
  /// What the host is believed to undo in one step.
  let grouping: GroupingBelief

  /// The likeliest undo, or redo, that leads to what the new window shows; `nil` where none does.
  ///
  /// The search ends once the steps alone weigh less than `limit`. Steps that inserted side by side weigh no less than
  /// `Measured.undoAdjoining` together, unless the window shows that less text went than they inserted.
  ///
  /// - Complexity: Linear in the text of the steps, in the text between them and in the new window; where many parts of
  ///   runs look alike, at most `mostCompared` bytes are compared in vain.
  func way(_ kind: Kind, for pair: Pair, limit: Double) -> Way? {
    let isBack = kind == .undo
    let steps = isBack ? history.done : history.undone
    if steps.isEmpty { return nil }
    var best: Way?
    var text = PatchedText(pair.known)
    // The weight of undoing so many steps at once.
    var weight = 0.0
    var composition: ComposedRun?
    // The caret, if it stays where it is in the text.
    var kept = pair.known.left.count
    var isDoubted = false
    // Whether all steps so far inserted their texts side by side, as the host may have joined them in one.
    var adjoins = isBack && (pair.come.isEmpty || pair.startsAnew)
    var adjoining = 0
    var compared = 0
    for (index, step) in steps.reversed().enumerated() {
      adjoining += step.inserted.count
      if !pair.startsAnew, adjoining > pair.gone.count { adjoins = false }
      let most = adjoins ? max(weight, Measured.undoAdjoining) : weight
      if most < limit || best?.weight ?? -.infinity >= most { break }
      let gone = isBack ? step.inserted : step.removed
      let back = isBack ? step.removed : step.inserted
      let start = step.position - origin
      guard text.holds(gone, at: start) else { break }
      isDoubted = isDoubted || step.isDoubted
      // Where the window shows a part by its rule, the whole is not undone that it would show cut elsewhere.
      var showsPart = false
      if isBack,
        var way = part(of: step, at: start, of: text, pair, &compared)
          ?? half(of: step, at: start, of: text, pair)
      {
        showsPart = way.isExact
        way.steps = index
        way.weight += weight
        way.isDoubted = isDoubted
        if way.weight > best?.weight ?? -.infinity { best = way }
      }
      text.exchange(gone.count, for: back, at: start)
      if kept > start { kept = max(start, kept - gone.count) }
      if kept > start { kept += back.count }
      if composition == nil, isBack { composition = ComposedRun(step, at: start) }
      // What is redone next, if this one is redone.
      let next = isBack || index + 1 == steps.count ? nil : steps[steps.count - 2 - index]
      let bond = isBack ? step.bond : next?.bond ?? .none
      var shown = text
      if let first = shown.lend(to: { composition?.first(in: $0) }) {
        shown.goOn(as: pair, selectedFrom: first)
      }
      let place = shown.lend {
        likeliestPlace(
          around: step, at: start, of: $0, isBack: isBack, next: next, composition, kept: kept,
          pair)
      }
      let isFirst = adjoins && !step.adjoins(steps.dropLast(index + 1).last)
      if let place, place.isExact || !showsPart {
        let bondWeight = bond == .firm ? grouping.weightOfBrokenBond : 0
        let stepsWeight = isFirst && index > 0 ? most : weight
        let run = isBack ? step.asRun : nil
        let way = Way(
          kind: kind, steps: index + 1, change: shown.change,
          step: index == 0 ? (removed: gone, inserted: back) : nil, caret: place.caret,
          weight: stepsWeight + place.weight + bondWeight + (run.map(grouping.weight) ?? 0),
          part: run,
          isDoubted: isDoubted)
        if way.weight > best?.weight ?? -.infinity { best = way }
      }
      adjoins = adjoins && !isFirst
      if bond == .none { weight += Measured.undoFarther }
      if bond != .firm { composition = nil }
    }
    return best
  }

  /// The weight in bits of the new snapshot showing `text` with its selection at `caret`, and whether it does so by the
  /// window's rule; `nil` where the window would show something else.
  func fit(
    showing text: Joined, _ caret: Int, _ pair: Pair
  ) -> (weight: Double, isExact: Bool)? {
    let selected = pair.new.selected.bytes.count
    if caret < 0 || caret + selected > text.count { return nil }
    if pair.differsNearCaret(left: caret, right: caret + selected, in: text) { return nil }
    let right = pair.compareRight(text.dropFirst(caret + selected))
    if right.agreement > pair.admitted { return nil }
    let left = pair.compareLeft(text.prefix(caret))
    if left.agreement > pair.admitted { return nil }
    if pair.compareSelected(text.dropFirst(caret).prefix(selected)) != .exact { return nil }
    let isExact = left.agreement == .exact && right.agreement == .exact
    let weight =
      (isExact ? 0 : Measured.undoRecut)
      + pair.bitsOfUnknown(beside: left, right)
      + pair.bitsOfNeighbours(left: text.prefix(caret), right: text.dropFirst(caret + selected))
    return (weight, isExact)
  }
}

// MARK: - A part of a run

extension Retracing {
  /// The undo of a part of `run` that leads to what the new window shows.
  private func part(
    of run: History.Step, at start: Int, of text: PatchedText, _ pair: Pair, _ compared: inout Int
  ) -> Way? {
    if run.isWhole || run.isOneInsertion { return nil }
    return run.inserted.isEmpty
      ? partErased(in: run, at: start, of: text, pair, &compared)
      : partTyped(in: run, at: start, of: text, pair, &compared)
  }

  /// The undo of the end of what `run` typed.
  private func partTyped(
    in run: History.Step, at start: Int, of text: PatchedText, _ pair: Pair, _ compared: inout Int
  ) -> Way? {
    var text = text
    text.goOn(as: pair, selectedFrom: start + run.inserted.count)
    guard let length = partlyShown(run, at: start, of: text, pair, &compared) else { return nil }
    let tail = run.inserted.count - length
    text.exchange(tail, for: [], at: start + length)
    guard let fit = text.lend(to: { fit(showing: $0, start + length, pair) })
    else { return nil }
    let part = run.inserted.withBytes { $0.part(from: length, to: $0.count) }
    let isToBreak = run.breaks.contains(length)
    let weight = grouping.weight(of: part)
    return Way(
      kind: .undo, rest: tail, change: text.change, caret: start + length,
      weight: fit.weight + (isToBreak ? max(weight, Measured.undoToBreak) : weight),
      part: isToBreak ? nil : part, isExact: fit.isExact)
  }

  /// The undo of the last erasures of `run`.
  private func partErased(
    in run: History.Step, at start: Int, of text: PatchedText, _ pair: Pair, _ compared: inout Int
  ) -> Way? {
    // What was erased last comes back first: of text erased to the right its end, behind the caret.
    let isRight = run.lastEditType == .erasedRight
    guard run.selected == 0, pair.new.selected.isEmpty,
      let length = partlyRestored(run, at: start, of: text, isRight: isRight, pair, &compared)
    else { return nil }
    var left = run
    let back = left.split(erased: length)
    let caret = back.caret - origin
    var text = text
    text.exchange(0, for: back.removed, at: start)
    guard let fit = text.lend(to: { fit(showing: $0, caret, pair) }) else { return nil }
    let offset = isRight ? left.removed.count : 0
    let part = run.removed.withBytes { $0.part(from: offset, to: offset + length) }
    return Way(
      kind: .undo, rest: length, change: text.change, caret: caret,
      weight: fit.weight + grouping.weight(of: part), part: part, isExact: fit.isExact)
  }

  /// The undo of what `step` inserted alone, where it exchanged text: Qt shows such an undo in two states.
  private func half(
    of step: History.Step, at start: Int, of text: PatchedText, _ pair: Pair
  ) -> Way? {
    guard !step.removed.isEmpty, !step.inserted.isEmpty, step.composed == nil,
      pair.new.selected.isEmpty
    else { return nil }
    var text = text
    text.exchange(step.inserted.count, for: [], at: start)
    guard let fit = text.lend(to: { fit(showing: $0, start, pair) }) else { return nil }
    let weight = pair.window == .line ? Measured.undoHalf : Measured.undoPart
    return Way(
      kind: .undo, rest: step.inserted.count, change: text.change, caret: start,
      weight: fit.weight + weight, isExact: fit.isExact)
  }

  /// How many bytes of a run of typing are left where its end was undone and the window shows the rest; `nil` where
  /// it shows no such part.
  private func partlyShown(
    _ run: History.Step, at start: Int, of text: PatchedText, _ pair: Pair, _ compared: inout Int
  ) -> Int? {
    let selected = pair.new.selected.bytes.count
    return text.lend { all in
      let end = start + run.inserted.count
      let right = all.dropFirst(end)
      guard selected <= right.count,
        pair.compareRight(right.dropFirst(selected)).agreement <= pair.admitted,
        pair.compareSelected(right.prefix(selected)) == .exact
      else { return nil }
      return run.inserted.withBytes {
        firstShown(
          of: (1..<max(1, $0.count)).reversed(), ofRun: $0, ending: all.prefix(end), pair,
          &compared)
      }
    }
  }

  /// How many bytes of an erased run are back where the window shows these; `nil` where it shows no such part.
  ///
  /// Text erased to the right (`isRight`) comes back behind the caret, its end first; other text in front of it.
  private func partlyRestored(
    _ run: History.Step, at start: Int, of text: PatchedText, isRight: Bool, _ pair: Pair,
    _ compared: inout Int
  ) -> Int? {
    // Whichever part is back, the same text stands on the caret's other side.
    let other = text.lend {
      isRight
        ? pair.compareLeft($0.prefix(start)).agreement
        : pair.compareRight($0.dropFirst(start)).agreement
    }
    if other > pair.admitted { return nil }
    var text = text
    text.exchange(0, for: run.removed, at: start)
    return text.lend { all in
      run.removed.withBytes { removed in
        isRight
          ? firstShown(ofRun: removed, beginning: all.dropFirst(start), pair, &compared)
          : firstShown(
            of: 1..<max(1, removed.count), ofRun: removed,
            ending: all.prefix(start + removed.count), pair, &compared)
      }
    }
  }

  /// The least length of an end of `run`, with which `text` begins, so that the new window shows `text` from there on
  /// right of its caret, by its rule if it does so for any length; `nil` where there is none, or too much was compared.
  ///
  /// `compared` counts the bytes compared in vain, by earlier calls too.
  private func firstShown(
    ofRun run: Bytes, beginning text: Joined, _ pair: Pair, _ compared: inout Int
  ) -> Int? {
    let seen = pair.new.after.bytes
    var recut: Int?
    for offset in (1..<max(1, run.count)).reversed() {
      // Most parts begin with another byte.
      if let first = seen.first, run[offset] != first { continue }
      if Bytes.isContinuation(run[offset]) { continue }
      let part = text.dropFirst(offset)
      let same = part.commonPrefix(Joined(seen))
      if same == min(part.count, seen.count) {
        let agreement = pair.compareRight(part).agreement
        if agreement == .exact { return run.count - offset }
        if agreement <= pair.admitted, recut == nil { recut = run.count - offset }
      }
      compared += same
      if compared > Retracing.mostCompared { return recut }
    }
    return recut
  }

  /// The first of `lengths` to which `run`, the end of `text`, can be cut so that the new window shows `text` left of
  /// its caret, by its rule if it does so for any of them; `nil` where there is none, or too much was compared.
  ///
  /// `compared` counts the bytes compared in vain, by earlier calls too.
  private func firstShown(
    of lengths: some Sequence<Int>, ofRun run: Bytes, ending text: Joined, _ pair: Pair,
    _ compared: inout Int
  ) -> Int? {
    let seen = pair.new.before.bytes
    let start = text.count - run.count
    var recut: Int?
    for length in lengths {
      // Most parts end with another byte.
      if let last = seen.last, run[length &- 1] != last { continue }
      if Bytes.isContinuation(run[length]) { continue }
      let part = text.prefix(start + length)
      let shared = min(part.count, seen.count)
      // Where most parts end alike, most begin with another byte.
      if shared > 0, part[part.count - shared] != seen[seen.count - shared] { continue }
      let same = part.commonSuffix(Joined(seen))
      if same == shared {
        let agreement = pair.compareLeft(part).agreement
        if agreement == .exact { return length }
        if agreement <= pair.admitted, recut == nil { recut = length }
      }
      compared += same
      if compared > Retracing.mostCompared { return recut }
    }
    return recut
  }

  /// How many bytes are compared in vain at most, where text that repeats itself looks like many parts of runs: about
  /// 0.4 ms.
  private static let mostCompared = 1 << 24
}

extension PatchedText {
  /// Appends what the selection of `pair` shows beyond the text, if the selection begins at `first`, agrees with the
  /// text up to there, and may go on.
  fileprivate mutating func goOn(as pair: Pair, selectedFrom first: Int) {
    let seen = pair.new.selected.bytes
    let length = count - first
    guard length >= 0, seen.count > length, pair.known.rightEdge != .document,
      pair.known.rightEdge != .line || seen[length] == .newline,
      lend(to: { $0.dropFirst(first) == Joined(seen.prefix(length)) })
    else { return }
    append(seen.dropFirst(length))
  }
}

extension Bytes {
  /// The part between two offsets of a run that inserted or erased this text.
  fileprivate func part(from start: Int, to end: Int) -> GroupingBelief.Part {
    GroupingBelief.Part(
      isWord: isWordEnd(start) && isWordEnd(end)
        && (start..<end).count {
          !self[$0].isWhitespace && ($0 == start || self[$0 - 1].isWhitespace)
        } <= 1,
      isEdit: prefix(end).dropFirst(start).isOneGrapheme)
  }

  /// Whether a word, or the text, begins or ends at `offset`.
  private func isWordEnd(_ offset: Int) -> Bool {
    offset == 0 || offset == count || self[offset - 1].isWhitespace != self[offset].isWhitespace
  }
}

extension History.Step {
  /// Whether it inserted text at the end of what `earlier` inserted, and neither removed any.
  fileprivate func adjoins(_ earlier: History.Step?) -> Bool {
    guard let earlier, removed.isEmpty, earlier.removed.isEmpty else { return false }
    return earlier.insertedEnd == position
  }

  /// Whether its text came in one edit, which no host undoes in parts.
  fileprivate var isOneInsertion: Bool {
    !inserted.isEmpty && lastEditType == .other && composed == nil
  }

  /// The whole step as a part of a run, where it is a run of several edits; else `nil`.
  fileprivate var asRun: GroupingBelief.Part? {
    if isWhole || selected > 0 || composed != nil { return nil }
    let isSeveral =
      inserted.isEmpty
      ? removed.count > -lastEditLength && lastEditType != .other
      : removed.isEmpty && inserted.count > lastEditLength && lastEditType == .typed
    guard isSeveral else { return nil }
    var part = (inserted.isEmpty ? removed : inserted).withBytes { $0.part(from: 0, to: $0.count) }
    part.isRun = true
    return part
  }
}
