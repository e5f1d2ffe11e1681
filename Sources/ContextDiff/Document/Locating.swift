/// The place in a session's memory that the new snapshot shows.
struct Locating {
  /// The caret, or the selection's left end, in bytes from the known text's start; `nil` where the snapshot's text is
  /// not remembered.
  private(set) var caret: Int?
  /// Whether there is only one such place.
  private(set) var isUnique = false

  /// How many occurrences on each side of the old caret are tried at most; each takes about 600 instructions.
  private static let mostTried = 128

  /// Finds the place nearest to the old caret at which the window would show the new snapshot; with
  /// `admitsOldPlace` the old caret's own place counts, too.
  ///
  /// - Complexity: Linear in the remembered text between the old caret and the nearest two places.
  init(_ pair: Pair, admittingOldPlace admitsOldPlace: Bool = false) {
    let known = pair.known
    let seen = pair.new
    var pattern = seen.all.contiguous
    if pair.window != .full && seen.after.isShown && seen.after.isEmpty { pattern.append(.newline) }
    let old = known.left.count
    let shift = seen.before.bytes.count
    // How the window at `caret` would agree with the new snapshot.
    func agreement(at caret: Int) -> Fit.Agreement {
      let action = Action.move(to: caret, selecting: seen.selected.bytes.count)
      let left = pair.compareLeft(action.left(in: known)).agreement
      return left > pair.admitted
        ? left : max(left, pair.compareRight(action.right(in: known)).agreement)
    }
    // The caret at the next of the places found by `search` where the window would show the new snapshot.
    func next(_ search: inout Search) -> Int? {
      while let place = search.next() {
        let caret = place + shift
        if !admitsOldPlace, caret == old, seen.selected.bytes == known.selected { continue }
        if agreement(at: caret) <= pair.admitted { return caret }
      }
      return nil
    }
    let text = known.text
    pattern.withBytes { pattern in
      // The occurrences up to and including the old caret's own place, and those behind it.
      let start = max(0, min(old - shift + 1, text.count))
      let end = max(0, min(old - shift + pattern.count, text.count))
      var before = Search(
        places: Occurrences(of: pattern, in: text.prefix(end), isBackward: true), start: 0)
      var behind = Search(
        places: Occurrences(of: pattern, in: text.dropFirst(start)), start: start)
      let (left, right) = (next(&before), next(&behind))
      if let left, let right {
        caret = old - left <= right - old ? left : right
        return
      }
      guard let only = left ?? right else { return }
      caret = only
      let another = left != nil ? next(&before) : next(&behind)
      isUnique =
        another == nil && !before.isExhausted && !behind.isExhausted
        // A `line` window shows the whole line: what is cut elsewhere may be another line.
        && (pair.window != .line || agreement(at: only) == .exact)
    }
  }

  /// The occurrences of a text, `mostTried` of them at most.
  private struct Search {
    var places: Occurrences
    /// Where `places` begin to count.
    let start: Int
    private var tried = 0

    init(places: Occurrences, start: Int) {
      (self.places, self.start) = (places, start)
    }

    /// Whether `mostTried` were tried, so that there may be more.
    var isExhausted: Bool { tried == Locating.mostTried }

    /// The next occurrence's offset.
    mutating func next() -> Int? {
      guard !isExhausted, let offset = places.next() else { return nil }
      tried += 1
      return start + offset
    }
  }
}
