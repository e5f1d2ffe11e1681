/// Text selected, or the selection changed.
enum SelectionReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let kind: Kind = pair.new.selectsWholeLine(window: pair.window) ? .lineSelection : .selection
    let isWithin = proposeWithin(pair, kind: kind, in: &contest)
    if !isWithin, !pair.keepsText {
      proposeCutShort(pair, kind: kind, in: &contest)
    }
    // A selection made elsewhere can hold any text.
    contest.accept(
      Hypothesis(
        kind: kind, action: .none,
        weight: Model.selected + Measured.scalar
          + (pair.known.isRemembered ? Measured.selectedUnseen : 0), agreement: .exact,
        keptLeft: 0, keptRight: 0))
  }

  /// Tries the selection where it lies in, or reaches out of, the visible text; says whether it is there.
  private static func proposeWithin(
    _ pair: borrowing Pair, kind: Kind, in contest: inout Contest
  ) -> Bool {
    var isThere = false
    let visible = pair.known.visible
    let selected = pair.new.selected.bytes.count
    let shown = pair.new.before.bytes.count
    let old = pair.known.left.count
    func put(_ start: Int) {
      guard start >= visible.lowerBound, start + selected <= visible.upperBound else { return }
      let weight = contest.propose(
        kind, .move(to: start, selecting: selected), prior: Model.selected, for: pair)
      isThere = isThere || weight != nil
    }
    put(visible.lowerBound + shown)
    if pair.keepsText { return isThere }
    put(old)
    put(old - selected)
    put(old + pair.known.selected.count)
    put(old + pair.known.selected.count - selected)
    put(old + shown)
    put(visible.lowerBound)
    return isThere
  }
}

extension SelectionReading {
  /// Tries a longer selection, of which the host shows the beginning and the end alone.
  private static func proposeCutShort(
    _ pair: borrowing Pair, kind: Kind, in contest: inout Contest
  ) {
    let known = pair.known
    let seen = pair.new.selected.bytes
    if seen.scalarCount(upTo: Evidence.enough) < Evidence.enough { return }
    let old = known.left.count
    let starts = [known.visible.lowerBound + pair.new.before.bytes.count, old]
    let ends = [known.visible.upperBound - pair.new.after.bytes.count, old + known.selected.count]
    let text = known.text.contiguous
    text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      for start in starts {
        for end in ends where end <= all.count && end - start > seen.count {
          guard all.prefix(end).dropFirst(start).isCutShort(to: seen),
            pair.compareLeft(Joined(all.prefix(start))).agreement <= pair.admitted,
            pair.compareRight(Joined(all.dropFirst(end))).agreement <= pair.admitted
          else { continue }
          return contest.accept(
            Hypothesis(
              kind: kind, action: .move(to: start, selecting: end - start),
              weight: Model.selected + Measured.cutShort, agreement: .exact,
              keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count,
              isPartial: true))
        }
      }
    }
  }
}

extension Bytes {
  /// Whether `other` is the beginning and the end of this, and something between is left out.
  func isCutShort(to other: Bytes) -> Bool {
    if other.isEmpty || other.count >= count { return false }
    let start = other.scalarStart(atOrBefore: commonPrefix(other))
    return start > 0 && start < other.count && hasSuffix(other.dropFirst(start))
  }
}

/// Text that comes with its selection: an inline completion, a drop.
enum SelectedInsertionReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let text = pair.new.selected.bytes
    guard pair.keepsBefore, pair.keepsAfter, !pair.new.before.isEmpty,
      !pair.new.after.isEmpty, text != pair.old.selected.bytes
    else { return }
    let left = pair.old.before.bytes
    let right = pair.old.after.bytes
    let isOverSelection = !pair.old.selected.isEmpty
    if !isOverSelection {
      // The text shown on one side may be what is selected now.
      let reachesRight = text.hasPrefix(right) || right.hasPrefix(text)
      let reachesLeft = text.hasSuffix(left) || left.hasSuffix(text)
      if reachesRight || reachesLeft { return }
    }
    let scalars = text.scalarCount(upTo: Fit.unknownLimit)
    contest.accept(
      Hypothesis(
        kind: isOverSelection ? .replacement : .insertion,
        action: Action(
          removesSelection: isOverSelection, selectsInsertion: true, inserted: text),
        weight: Model.selected
          + (pair.known.isRemembered ? Measured.comesSelectedUnknown : Measured.comesSelected)
          + (isOverSelection ? Double(scalars) * Measured.comesSelectedScalar : 0),
        agreement: .exact,
        keptLeft: left.count, keptRight: right.count))
  }
}

extension Fields {
  /// Whether exactly one whole line is selected and a line is above it.
  func selectsWholeLine(window: Window) -> Bool {
    let text = selected.bytes
    guard !text.isEmpty, window == .sentence ? before.bytes == .newline : before.bytes.last == 0x0A
    else { return false }
    var line = text
    if line.last == 0x0A {
      line = line.dropLast(1)
    } else if !after.isEmpty && !(window == .full && after.bytes.first == 0x0A) {
      return false
    }
    for index in 0..<line.count where line[index] == 0x0A { return false }
    return !line.isEmpty
  }
}
