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
    if pair.window != .full && seen.after.isShown && seen.after.isEmpty { pattern.append(0x0A) }
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
    index = text.count
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
