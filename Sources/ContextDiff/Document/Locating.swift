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
  /// - Complexity: Linear in the remembered text between the old caret and the nearest two places.
  init(_ pair: borrowing Pair, admittingOldPlace admitsOldPlace: Bool = false) {
    let known = pair.known
    let seen = pair.new
    length =
      Evidence.count(endOf: seen.before.bytes) + Evidence.count(startOf: seen.after.bytes)
      + Evidence.count(startOf: seen.selected.bytes)
    var pattern = seen.all.contiguous
    if pair.window != .full && seen.after.isShown && seen.after.isEmpty { pattern.append(0x0A) }
    if pattern.isEmpty { return }
    let old = known.left.count
    let shift = seen.before.bytes.count
    // The caret of the first place among `places`, which begin at `start`, that shows what was seen.
    func next(_ places: inout Occurrences, from start: Int) -> Int? {
      while let offset = places.next() {
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
    let text = known.text.contiguous
    text.withUnsafeBufferPointer { text in
      pattern.withUnsafeBufferPointer { pattern in
        let (all, part) = (Bytes(text), Bytes(pattern))
        // Those that begin no farther right than the old caret's own place, and the others.
        let start = max(0, min(old - shift + 1, all.count))
        let end = max(0, min(old - shift + part.count, all.count))
        var before = Occurrences(of: part, in: all.prefix(end), isBackward: true)
        var behind = Occurrences(of: part, in: all.dropFirst(start))
        let left = next(&before, from: 0)
        let right = next(&behind, from: start)
        if let left, let right {
          caret = old - left <= right - old ? left : right
        } else {
          caret = left ?? right
          isUnique =
            left != nil && next(&before, from: 0) == nil
            || right != nil && next(&behind, from: start) == nil
        }
      }
    }
  }
}

/// The places at which one text occurs in another, overlapping ones included: the first to the last, or
/// backward the last to the first.
struct Occurrences: Sequence, IteratorProtocol {
  private let pattern: Bytes
  private let text: Bytes
  private let isBackward: Bool
  private let borders: [Int]
  // How many bytes were looked at, from where the search begins, and of how many the pattern agrees.
  private var index = 0
  private var matched = 0

  /// - Complexity: Linear in the two lengths over all the places (Knuth, Morris and Pratt); where nothing
  ///   is like the pattern's two ends, 16 bytes are looked at together.
  init(of pattern: Bytes, in text: Bytes, isBackward: Bool = false) {
    self.pattern = pattern
    self.text = text
    self.isBackward = isBackward
    if pattern.count > text.count || pattern.isEmpty {
      borders = []
      index = text.count
      return
    }
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in 1..<Swift.max(1, pattern.count) {
      let byte = Occurrences.byte(index, of: pattern, isBackward)
      while length > 0, byte != Occurrences.byte(length, of: pattern, isBackward) {
        length = borders[length - 1]
      }
      if byte == Occurrences.byte(length, of: pattern, isBackward) { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  mutating func next() -> Int? {
    while index < text.count {
      if matched == 0 {
        skip()
        if index == text.count { return nil }
      }
      let byte = Occurrences.byte(index, of: text, isBackward)
      while matched > 0, byte != Occurrences.byte(matched, of: pattern, isBackward) {
        matched = borders[matched - 1]
      }
      if byte == Occurrences.byte(matched, of: pattern, isBackward) { matched += 1 }
      index += 1
      if matched == pattern.count {
        matched = borders[matched - 1]
        return isBackward ? text.count - index : index - pattern.count
      }
    }
    return nil
  }

  /// The byte at `index` of `text`, counted from where the search begins.
  @inline(__always)
  private static func byte(_ index: Int, of text: Bytes, _ isBackward: Bool) -> UInt8 {
    text[isBackward ? text.count &- 1 &- index : index]
  }

  /// Goes on to the next place at which the pattern's first byte and its last may agree; to the end where
  /// there is none.
  private mutating func skip() {
    // Where the pattern may begin, in the direction of the search.
    let places = text.count - pattern.count + 1
    while index + 16 <= places {
      let first = isBackward ? places - 16 - index : index
      if let next = text.firstPlace(
        of: pattern, among: first, fromEnd: isBackward)
      {
        index += next
        return
      }
      index += 16
    }
    if index >= places { index = text.count }
  }
}

extension Bytes {
  /// The first, or with `fromEnd` the last, of the 16 places from `start` on at which this holds
  /// `pattern`'s first byte and its last.
  ///
  /// It is counted from that end; `nil` where there is none.
  @inline(__always)
  fileprivate func firstPlace(of pattern: Bytes, among start: Int, fromEnd: Bool) -> Int? {
    @inline(__always) func agreement(_ offset: Int, _ byte: UInt8) -> SIMDMask<SIMD16<Int8>> {
      UnsafeRawPointer(self.start)
        .loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        .== SIMD16<UInt8>(repeating: byte)
    }
    let length = pattern.count
    let both =
      agreement(start, pattern[0]) .& agreement(start &+ length &- 1, pattern[length &- 1])
    let halves = unsafeBitCast(both, to: SIMD2<UInt64>.self)
    if halves[0] | halves[1] == 0 { return nil }
    let (low, high) = (UInt64(littleEndian: halves[0]), UInt64(littleEndian: halves[1]))
    if fromEnd {
      return high != 0 ? high.leadingZeroBitCount / 8 : 8 &+ low.leadingZeroBitCount / 8
    }
    return low != 0 ? low.trailingZeroBitCount / 8 : 8 &+ high.trailingZeroBitCount / 8
  }
}
