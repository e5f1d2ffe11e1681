/// The places at which one text occurs in another, overlapping ones included: the first to the last, or
/// backward the last to the first.
struct Occurrences: Sequence, IteratorProtocol {
  private let pattern: Bytes
  private let text: Joined
  private let isBackward: Bool
  /// The two rarest bytes of the pattern, by their offsets in it: where one of them is not, it is not.
  private let probes: (first: Int, last: Int)
  /// What four bytes say of how far off the pattern is, where it is long enough.
  private let ends: PatternEnds?
  /// For each beginning of the pattern how long an end of it the pattern begins with, in the direction of
  /// the search; made where it is first needed.
  private var borders: [Int] = []
  // How many bytes were looked at, from where the search begins, and of how many the pattern agrees.
  private var index = 0
  private var matched = 0

  /// - Complexity: Linear in the two lengths over all the places (Knuth, Morris and Pratt); where nothing
  ///   is like the pattern, 64 bytes are looked at together, or, of a pattern of 16 bytes and more, four in
  ///   as many as it has.
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
    if let next = ends?.skip(from: index, to: places, in: text) {
      index = next
    } else {
      skip(to: places)
    }
    if index >= places { index = text.count }
  }

  private mutating func skip(to places: Int) {
    let (first, last) = (pattern[probes.first], pattern[probes.last])
    let span = probes.last - probes.first
    while index < places {
      // What both probes look at, for as many places as have it in one piece.
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

/// How far off a pattern is where four bytes are seen at the far end of it, in the direction of the search
/// (Horspool, by stretches of four bytes).
private struct PatternEnds {
  /// The least pattern that this is for: by a shorter one, less is passed by than is looked at otherwise.
  static let least = 16
  /// How much of the pattern it goes by, from where the search begins.
  private static let most = 256

  /// By the hash of four bytes.
  private var distances: InlineArray<256, UInt16>
  private let isBackward: Bool
  /// Where the four bytes lie from where the search begins.
  private let offset: Int

  init(of pattern: Bytes, isBackward: Bool) {
    self.isBackward = isBackward
    offset = min(pattern.count, PatternEnds.most) - 4
    distances = InlineArray(repeating: UInt16(offset + 1))
    for distance in (0...offset).reversed() {
      let start = offset - distance
      let four = pattern.load(isBackward ? pattern.count - 4 - start : start, as: UInt32.self)
      distances[PatternEnds.hash(four)] = UInt16(distance)
    }
  }

  /// The next of `places` from `index` on, counted from where the search begins, where the four bytes may be
  /// the pattern's; `places` or more where there is none.
  func skip(from index: Int, to places: Int, in text: Joined) -> Int {
    let distances = distances.span
    var index = index
    while index < places {
      // How much there is from where the search begins up to the four bytes.
      let before = index &+ offset
      let piece =
        isBackward ? text.stretch(endingAt: text.count &- before) : text.stretch(at: before)
      // They lie in two pieces.
      if piece.count < 4 { return index }
      var passed = 0
      while passed <= piece.count &- 4 {
        let start = isBackward ? piece.count &- 4 &- passed : passed
        let distance = distances[PatternEnds.hash(piece.load(start, as: UInt32.self))]
        if distance == 0 { return index &+ passed }
        passed &+= Int(distance)
      }
      index &+= passed
    }
    return index
  }

  @inline(__always) private static func hash(_ four: UInt32) -> Int {
    // Knuth's multiplier: the golden ratio's part of 2³².
    Int((four &* 0x9E37_79B1) >> 24)
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

  /// The first place at which `first` lies, and `last` `span` bytes behind it; with `fromEnd` the last such.
  ///
  /// - Parameters:
  ///   - first: the one byte.
  ///   - last: the other, within this, too.
  ///   - span: at least 0, and less than there are bytes.
  ///   - fromEnd: whether places are looked at, and counted, from the end.
  /// - Returns: how many places were passed by; `nil` where there is none.
  fileprivate func place(
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
