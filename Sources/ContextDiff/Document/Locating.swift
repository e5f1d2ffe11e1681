/// Finds in a session's memory the place that a snapshot shows.
struct Locating {
  /// Where the caret, or the selection's left end, is, from the known text's start; `nil` where the
  /// text is not remembered.
  private(set) var caret: Int?
  /// Whether it is at one place only.
  private(set) var isUnique = false

  /// How many scalars, four and a few at most, the text has that was found.
  private(set) var length = 0

  /// Looks for the places at which the window would show what `pair` shows now, and takes the one
  /// nearest to the old caret; with `admitsOldPlace` the place where that stands counts too.
  ///
  /// - Complexity: Linear in the remembered text.
  init(_ pair: borrowing Pair, admittingOldPlace admitsOldPlace: Bool = false) {
    let known = pair.known
    let seen = pair.new
    length =
      Evidence.count(endOf: seen.before.bytes) + Evidence.count(startOf: seen.after.bytes)
      + Evidence.count(startOf: seen.selected.bytes)
    let text = known.text.contiguous
    text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      var pattern = seen.all.contiguous
      if pair.window != .full && seen.after.isShown && seen.after.isEmpty { pattern.append(0x0A) }
      if pattern.isEmpty { return }
      pattern.withUnsafeBufferPointer { part in
        for offset in Occurrences(of: Bytes(part), in: all) {
          let caret = offset + seen.before.bytes.count
          if !admitsOldPlace, caret == known.left.count, seen.selected.bytes == known.selected {
            continue
          }
          let action = Action.move(to: caret, selecting: seen.selected.bytes.count)
          guard pair.compareLeft(action.left(in: known)).agreement <= pair.admitted,
            pair.compareRight(action.right(in: known)).agreement <= pair.admitted
          else { continue }
          isUnique = self.caret == nil
          let old = known.left.count
          if let nearest = self.caret, abs(nearest - old) <= abs(caret - old) { continue }
          self.caret = caret
        }
      }
    }
  }
}

/// The places at which one text occurs in another, overlapping ones included.
struct Occurrences: Sequence, IteratorProtocol {
  private let pattern: Bytes
  private let text: Bytes
  private let borders: [Int]
  private var index = 0
  private var matched = 0

  /// - Complexity: Linear in the two lengths over all the places (Knuth, Morris and Pratt).
  init(of pattern: Bytes, in text: Bytes) {
    self.pattern = pattern
    self.text = text
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in 1..<Swift.max(1, pattern.count) {
      while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
      if pattern[index] == pattern[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  mutating func next() -> Int? {
    while index < text.count, !pattern.isEmpty {
      while matched > 0, text[index] != pattern[matched] { matched = borders[matched - 1] }
      if text[index] == pattern[matched] { matched += 1 }
      index += 1
      if matched == pattern.count {
        matched = borders[matched - 1]
        return index - pattern.count
      }
    }
    return nil
  }
}
