/// Finds in a session's memory the place that a snapshot shows.
struct Locating {
  /// Where the caret, or the selection's left end, is, from the known text's start; `nil` where the
  /// text is not remembered.
  private(set) var caret: Int?
  /// Whether it is at one place only.
  private(set) var isUnique = false

  /// How many scalars, four and a few at most, the text has that was found.
  private(set) var length = 0

  /// How many places on each side that read like it are compared with what the window would show there, each of which
  /// takes about 600 instructions: where the text says the same so often, none is the place.
  private static let mostTried = 128

  /// Looks for the places at which the window would show what `pair` shows now, and takes the one
  /// nearest to the old caret; with `admitsOldPlace` the place where that stands counts too.
  ///
  /// - Complexity: Linear in the remembered text between the old caret and the nearest two places.
  init(_ pair: borrowing Pair, admittingOldPlace admitsOldPlace: Bool = false) {
    let known = pair.known
    let seen = pair.new
    length =
      KeptScalars.count(endOf: seen.before.bytes) + KeptScalars.count(startOf: seen.after.bytes)
      + KeptScalars.count(startOf: seen.selected.bytes)
    var pattern = seen.all.contiguous
    if pair.window != .full && seen.after.isShown && seen.after.isEmpty { pattern.append(.newline) }
    if pattern.isEmpty { return }
    let old = known.left.count
    let shift = seen.before.bytes.count
    // The caret of the first place among `places`, which begin at `start`, that shows what was seen.
    func next(_ places: inout Occurrences, from start: Int, _ tried: inout Int) -> Int? {
      while tried < Locating.mostTried, let offset = places.next() {
        tried += 1
        let caret = start + offset + shift
        if !admitsOldPlace, caret == old, seen.selected.bytes == known.selected { continue }
        let action = Action.move(to: caret, selecting: seen.selected.bytes.count)
        if pair.compareLeft(action.left(in: known)).agreement <= pair.admitted,
          pair.compareRight(action.right(in: known)).agreement <= pair.admitted
        {
          return caret
        }
      }
      return nil
    }
    let text = known.text
    pattern.withBytes { pattern in
      // Those that begin no farther right than the old caret's own place, and the others.
      let start = max(0, min(old - shift + 1, text.count))
      let end = max(0, min(old - shift + pattern.count, text.count))
      var before = Occurrences(of: pattern, in: text.prefix(end), isBackward: true)
      var behind = Occurrences(of: pattern, in: text.dropFirst(start))
      var (triedLeft, triedRight) = (0, 0)
      let left = next(&before, from: 0, &triedLeft)
      let right = next(&behind, from: start, &triedRight)
      if let left, let right {
        caret = old - left <= right - old ? left : right
      } else {
        caret = left ?? right
        let isAlone =
          left != nil && next(&before, from: 0, &triedLeft) == nil
          || right != nil && next(&behind, from: start, &triedRight) == nil
        isUnique = isAlone && max(triedLeft, triedRight) < Locating.mostTried
      }
    }
  }
}
