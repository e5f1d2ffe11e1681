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
      KeptScalars.count(endOf: seen.before.bytes) + KeptScalars.count(startOf: seen.after.bytes)
      + KeptScalars.count(startOf: seen.selected.bytes)
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
    let text = known.text
    pattern.withBytes { pattern in
      // Those that begin no farther right than the old caret's own place, and the others.
      let start = max(0, min(old - shift + 1, text.count))
      let end = max(0, min(old - shift + pattern.count, text.count))
      var before = Occurrences(of: pattern, in: text.prefix(end), isBackward: true)
      var behind = Occurrences(of: pattern, in: text.dropFirst(start))
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

/// The places at which one text occurs in another, overlapping ones included: the first to the last, or
/// backward the last to the first.
struct Occurrences: Sequence, IteratorProtocol {
  private let pattern: Bytes
  private let text: Joined
  private let isBackward: Bool
  /// The two rarest bytes of the pattern, by their offsets in it: where one of them is not, it is not.
  private let probes: (first: Int, last: Int)
  /// For each beginning of the pattern how long an end of it the pattern begins with, in the direction of
  /// the search; made where it is first needed.
  private var borders: [Int] = []
  // How many bytes were looked at, from where the search begins, and of how many the pattern agrees.
  private var index = 0
  private var matched = 0

  /// - Complexity: Linear in the two lengths over all the places (Knuth, Morris and Pratt); where nothing
  ///   is like the pattern, 64 bytes are looked at together.
  init(of pattern: Bytes, in text: Joined, isBackward: Bool = false) {
    self.pattern = pattern
    self.text = text
    self.isBackward = isBackward
    if pattern.count > text.count || pattern.isEmpty {
      probes = (0, 0)
      index = text.count
    } else {
      probes = pattern.rarestBytes
    }
  }

  mutating func next() -> Int? {
    while index < text.count {
      if matched == 0 {
        skip()
        if index == text.count { return nil }
      }
      let byte = text[isBackward ? text.count &- 1 &- index : index]
      while matched > 0, byte != patternByte(matched) { matched = border(of: matched) }
      if byte == patternByte(matched) { matched += 1 }
      index += 1
      if matched == pattern.count {
        matched = border(of: matched)
        return isBackward ? text.count - index : index - pattern.count
      }
    }
    return nil
  }

  /// The byte of the pattern at `index`, counted from where the search begins.
  @inline(__always) private func patternByte(_ index: Int) -> UInt8 {
    pattern[isBackward ? pattern.count &- 1 &- index : index]
  }

  /// How long an end of the first `length` bytes of the pattern the pattern begins with.
  private mutating func border(of length: Int) -> Int {
    if borders.isEmpty { borders = .borders(pattern.count) { patternByte($0) } }
    return borders[length - 1]
  }

  /// Goes on to the next place at which the pattern may begin; to the end where there is none.
  private mutating func skip() {
    let places = text.count - pattern.count + 1
    while index < places {
      if index + 64 <= places,
        let start = probed(64, from: isBackward ? places - 64 - index : index),
        !pattern.mayBegin(among64From: start, probes)
      {
        index += 64
      } else if index + 16 <= places,
        let start = probed(16, from: isBackward ? places - 16 - index : index)
      {
        if let next = pattern.firstPlace(among16From: start, probes, fromEnd: isBackward) {
          index += next
          return
        }
        index += 16
      } else {
        let place = isBackward ? places - 1 - index : index
        if text[place + probes.first] == pattern[probes.first],
          text[place + probes.last] == pattern[probes.last]
        {
          return
        }
        index += 1
      }
    }
    index = text.count
  }

  /// What begins where the first probe lies for the first of the `count` places from `place` on, if what
  /// both probes look at lies in one piece.
  @inline(__always)
  private func probed(_ count: Int, from place: Int) -> Bytes? {
    let stretch = text.stretch(at: place &+ probes.first)
    return stretch.count < probes.last &- probes.first &+ count ? nil : stretch
  }
}

extension Bytes {
  /// Where its two rarest bytes are, in their order.
  fileprivate var rarestBytes: (first: Int, last: Int) {
    var counts = InlineArray<256, Int>(repeating: 0)
    for index in 0..<count { counts[Int(self[index])] &+= 1 }
    var (rarest, next) = (0, count &- 1)
    for index in 0..<count {
      let frequency = counts[Int(self[index])]
      if frequency < counts[Int(self[rarest])] {
        (rarest, next) = (index, rarest)
      } else if index != rarest, frequency < counts[Int(self[next])] {
        next = index
      }
    }
    return (min(rarest, next), max(rarest, next))
  }

  /// Which of 16 places have both probes of this: the first place's first probe lies at `offset` in
  /// `stretch`.
  @inline(__always)
  private func agreement(
    in stretch: Bytes, at offset: Int, _ probes: (first: Int, last: Int)
  ) -> SIMDMask<SIMD16<Int8>> {
    let first = stretch.load(offset, as: SIMD16<UInt8>.self)
    let last = stretch.load(offset &+ probes.last &- probes.first, as: SIMD16<UInt8>.self)
    return (first .== SIMD16<UInt8>(repeating: self[probes.first]))
      .& (last .== SIMD16<UInt8>(repeating: self[probes.last]))
  }

  /// Whether one of 64 places has both.
  @inline(__always)
  fileprivate func mayBegin(
    among64From stretch: Bytes, _ probes: (first: Int, last: Int)
  ) -> Bool {
    let all =
      ((agreement(in: stretch, at: 0, probes) .| agreement(in: stretch, at: 16, probes))
      .| (agreement(in: stretch, at: 32, probes) .| agreement(in: stretch, at: 48, probes))).words
    return all[0] | all[1] != 0
  }

  /// The first, or with `fromEnd` the last, of 16 places that has both, counted from that end; `nil` where
  /// there is none.
  @inline(__always)
  fileprivate func firstPlace(
    among16From stretch: Bytes, _ probes: (first: Int, last: Int), fromEnd: Bool
  ) -> Int? {
    let halves = agreement(in: stretch, at: 0, probes).words
    if halves[0] | halves[1] == 0 { return nil }
    let (low, high) = (UInt64(littleEndian: halves[0]), UInt64(littleEndian: halves[1]))
    if fromEnd {
      return high != 0 ? high.leadingZeroBitCount / 8 : 8 &+ low.leadingZeroBitCount / 8
    }
    return low != 0 ? low.trailingZeroBitCount / 8 : 8 &+ high.trailingZeroBitCount / 8
  }
}
