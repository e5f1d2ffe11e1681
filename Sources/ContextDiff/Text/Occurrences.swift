/// The offsets at which a pattern occurs in a text, overlapping ones included: from the first to the last, with
/// `isBackward` from the last to the first.
///
/// In what follows, a *place* is an offset counted in the direction of the search.
struct Occurrences: Sequence, IteratorProtocol {
  private let pattern: Bytes
  private let text: Joined
  private let isBackward: Bool
  /// For a short pattern, the offsets of its two rarest bytes, which are searched first.
  private let probes: (first: Int, last: Int)
  /// For a long pattern, how far each four bytes of text let the search skip.
  private let ends: PatternEnds?
  /// The pattern's failure table (`[Int].borders`) in the direction of the search; made when first needed.
  private var borders: [Int] = []
  // How many bytes of the text were searched, and how many bytes of the pattern match those before that place.
  private var index = 0
  private var matched = 0

  /// - Complexity: Linear in the two lengths for all occurrences (Knuth, Morris and Pratt); text unlike the pattern is
  ///   passed 64 bytes at a time, or, for a pattern of 16 bytes or more, up to the pattern's length at a time.
  init(of pattern: Bytes, in text: Joined, isBackward: Bool = false) {
    self.pattern = pattern
    self.text = text
    self.isBackward = isBackward
    let isThere = !pattern.isEmpty && pattern.count <= text.count
    if !isThere { index = text.count }
    let isLong = PatternEnds.least <= pattern.count
    ends = isThere && isLong ? PatternEnds(of: pattern, isBackward: isBackward) : nil
    probes = isThere && !isLong ? pattern.rarestBytes : (0, 0)
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

  /// The byte of the pattern at `index`, counted in the direction of the search.
  @inline(__always) private func patternByte(_ index: Int) -> UInt8 {
    pattern[isBackward ? pattern.count &- 1 &- index : index]
  }

  /// The length of the longest proper suffix of the pattern's first `length` bytes that the pattern begins with.
  private mutating func border(of length: Int) -> Int {
    if borders.isEmpty { borders = .borders(pattern.count) { patternByte($0) } }
    return borders[length - 1]
  }

  /// Skips to the next place at which the pattern may occur; to the end where there is none.
  private mutating func skip() {
    let places = text.count - pattern.count + 1
    if let next = ends?.skip(from: index, to: places, in: text) {
      index = next
    } else {
      skip(to: places)
    }
    if index >= places { index = text.count }
  }

  /// Skips to the next of `places` that has the two rarest bytes.
  private mutating func skip(to places: Int) {
    let (first, last) = (pattern[probes.first], pattern[probes.last])
    let span = probes.last - probes.first
    while index < places {
      // Both bytes must lie in one stretch to be searched by blocks.
      let piece =
        isBackward
        ? text.stretch(endingAt: places &- index &+ probes.last)
        : text.stretch(at: index &+ probes.first)
      let count = Swift.min(piece.count &- span, places &- index)
      if count <= 0 {
        let place = isBackward ? places &- 1 &- index : index
        if text[place &+ probes.first] == first, text[place &+ probes.last] == last { return }
        index += 1
      } else {
        let looked = isBackward ? piece.suffix(count &+ span) : piece.prefix(count &+ span)
        if let place = looked.place(of: first, and: last, apart: span, fromEnd: isBackward) {
          index += place
          return
        }
        index += count
      }
    }
  }
}

/// How far the search for a pattern can skip, by the four bytes of text at which the pattern's far end would be
/// (Horspool's algorithm, by four bytes at a time).
private struct PatternEnds {
  /// The length, in bytes, of the shortest pattern for which it is faster than the search for two bytes.
  static let least = 16
  /// How many bytes of the pattern it uses at most.
  private static let most = 256

  /// The skip for each hash of four bytes; an `Array` has a span from iOS 26 on only.
  private var distances: ContiguousArray<UInt16>
  private let isBackward: Bool
  /// The offset of the four bytes in the pattern, in the direction of the search.
  private let offset: Int
  /// The pattern's first byte in that direction.
  private let first: UInt8

  init(of pattern: Bytes, isBackward: Bool) {
    self.isBackward = isBackward
    offset = min(pattern.count, PatternEnds.most) - 4
    first = pattern[isBackward ? pattern.count - 1 : 0]
    distances = ContiguousArray(repeating: UInt16(offset + 1), count: 256)
    for distance in (0...offset).reversed() {
      let start = offset - distance
      let four = pattern.load(isBackward ? pattern.count - 4 - start : start, as: UInt32.self)
      distances[PatternEnds.hash(four)] = UInt16(distance)
    }
  }

  /// The next of `places`, from `index` on, with the hash of the pattern's four bytes and its first byte; `places` or
  /// more where there is none.
  func skip(from index: Int, to places: Int, in text: Joined) -> Int {
    let distances = distances.span
    var index = index
    while index < places {
      // The offset of the four bytes in the text, in the direction of the search.
      let before = index &+ offset
      let piece =
        isBackward ? text.stretch(endingAt: text.count &- before) : text.stretch(at: before)
      // The four bytes lie in two stretches.
      if piece.count < 4 { return index }
      var passed = 0
      while passed <= piece.count &- 4 {
        let start = isBackward ? piece.count &- 4 &- passed : passed
        let distance = distances[PatternEnds.hash(piece.load(start, as: UInt32.self))]
        if distance == 0 {
          let place = index &+ passed
          if text[isBackward ? text.count &- 1 &- place : place] == first { return place }
        }
        passed &+= max(1, Int(distance))
      }
      index &+= passed
    }
    return index
  }

  @inline(__always) private static func hash(_ four: UInt32) -> Int {
    // Knuth's multiplier: 2³² divided by the golden ratio.
    Int((four &* 0x9E37_79B1) >> 24)
  }
}

extension Bytes {
  /// The offsets of its two rarest bytes, in order.
  fileprivate var rarestBytes: (first: Int, last: Int) {
    var counts = [Int](repeating: 0, count: 256)
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

  /// The first place at which there is `first`, and `last` `span` bytes behind it; `nil` where there is none.
  ///
  /// With `fromEnd`, places are searched and counted from the end; `span` must be at least 0, and less than `count`.
  func place(
    of first: UInt8, and last: UInt8, apart span: Int, fromEnd: Bool
  ) -> Int? {
    let places = count &- span
    let (firsts, lasts) = (SIMD16(repeating: first), SIMD16(repeating: last))
    var index = 0
    while index < places {
      if index <= places &- 64 {
        let start = fromEnd ? places &- 64 &- index : index
        let one = load(start, as: Block.self)
        let other = load(start &+ span, as: Block.self)
        let found =
          ((((one.0 .== firsts) .& (other.0 .== lasts))
          .| ((one.1 .== firsts) .& (other.1 .== lasts)))
          .| (((one.2 .== firsts) .& (other.2 .== lasts))
            .| ((one.3 .== firsts) .& (other.3 .== lasts))))
          .words
        if found[0] | found[1] == 0 {
          index &+= 64
          continue
        }
      }
      if index <= places &- 16 {
        let start = fromEnd ? places &- 16 &- index : index
        let found =
          (load(start, as: SIMD16<UInt8>.self) .== firsts)
          .& (load(start &+ span, as: SIMD16<UInt8>.self) .== lasts)
        if let passed = fromEnd ? found.lastTrue : found.firstTrue { return index &+ passed }
        index &+= 16
      } else {
        let place = fromEnd ? places &- 1 &- index : index
        if self[place] == first, self[place &+ span] == last { return index }
        index &+= 1
      }
    }
    return nil
  }
}

extension Joined {
  /// Whether `part`, which is not empty, occurs in it.
  func holds(_ part: Bytes) -> Bool {
    var places = Occurrences(of: part, in: self)
    return places.next() != nil
  }
}
