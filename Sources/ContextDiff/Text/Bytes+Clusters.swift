// Grapheme clusters (UAX #29).

extension Bytes {
  /// Whether this is one grapheme cluster, counted on this text alone.
  var isOneGrapheme: Bool {
    if count == 0 { return false }
    let first = firstScalarLength
    if first == count { return true }
    if Bytes.isSimple(firstScalar) && Bytes.isSimple(dropFirst(first).firstScalar) { return false }
    return isOneCluster
  }

  /// The same of scalars that may join.
  @inline(never) private var isOneCluster: Bool {
    // Even a flag or a family of emoji is shorter than this; a letter may have any number of marks.
    let start = firstScalars(within: 128)
    return start.string.count == 1 && dropFirst(start.count).allScalars(Bytes.isExtender)
  }

  /// Whether this is certainly more than one grapheme cluster.
  var isLongerThanAGrapheme: Bool { !isEmpty && !isOneGrapheme }

  /// How many bytes the last grapheme cluster takes, looked for in the last 256 bytes.
  var lastGraphemeLength: Int {
    let last = lastScalarLength
    if last == count || Bytes.isSimple(lastScalar) && Bytes.isSimple(dropLast(last).lastScalar) {
      return last
    }
    return lastScalars(within: 256).string.last?.utf8.count ?? 0
  }

  /// How many bytes the first grapheme cluster takes, looked for in the first 256 bytes.
  var firstGraphemeLength: Int {
    let first = firstScalarLength
    if first == count || Bytes.isSimple(firstScalar) && Bytes.isSimple(dropFirst(first).firstScalar)
    {
      return first
    }
    return firstScalars(within: 256).string.first?.utf8.count ?? 0
  }

  /// Whether `scalar` is a combining mark or an emoji modifier.
  static func isMark(_ scalar: UInt32) -> Bool {
    if scalar < firstMark { return false }
    if isFrequentMark(scalar) { return true }
    guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return properties.isEmojiModifier
    }
  }

  /// No mark comes before this one.
  private static let firstMark: UInt32 = 0x300

  /// Whether `scalar` is one of the most frequent marks, which join a letter: combining ones, and those of Arabic and Thai.
  private static func isFrequentMark(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x300...0x36F, 0x64B...0x65F, 0xE31, 0xE34...0xE3A, 0xE47...0xE4E: true
    default: false
    }
  }

  /// Whether `scalar` never forms a cluster with another such scalar, which is true of those whose
  /// Grapheme_Cluster_Break is Other (UAX #29), pictographs and the consonants of Indic conjuncts aside, and of Hangul
  /// syllables: printable ASCII, kana and ideographs, most of their punctuation, and the letters of Latin, Greek,
  /// Cyrillic, Armenian, Hebrew, Arabic, Thai and Hangul.
  static func isSimple(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20..<0x7F, 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF, 0x3001...0x3020: true
    case 0xA0...0xA8, 0xAA...0xAC, 0xAF...0x2FF, 0x370...0x482, 0x48A...0x58F, 0x5D0...0x5F4,
      0x620...0x64A, 0x671...0x6D3, 0xE01...0xE30, 0xE40...0xE46, 0x1E00...0x1FFF,
      0x2010...0x2027, 0xAC00...0xD7A3, 0xFF01...0xFF9D:
      true
    default: false
    }
  }
}

// MARK: - Counting, by blocks where each scalar is a cluster

extension Bytes {
  /// How many grapheme clusters it has, counted on this text alone.
  ///
  /// - Complexity: Linear: a few instructions a byte where no scalar joins another, more than a hundred a cluster around
  ///   those that do, fewer where a mark joins a letter.
  var clusterCount: Int {
    var rest = self
    var total = 0
    while true {
      let plain = rest.prefix(rest.plainLength)
      total &+= plain.scalarCount
      if plain.count == rest.count { return total }
      let behind = rest.dropFirst(plain.count)
      // Nothing joins a carriage return but the newline behind it (GB3 to GB5).
      if behind.first == .carriageReturn {
        total &+= 1
        rest = behind.dropFirst(behind.dropFirst(1).first == .newline ? 2 : 1)
        continue
      }
      if let marked = behind.markedLength(behind: plain) {
        total &+= marked.clusters
        rest = behind.dropFirst(marked.bytes)
        continue
      }
      // Scalars that are not plain may join the plain scalar before them and the one behind them, but no others.
      let before = plain.lastScalarLength
      var end = plain.count
      var isPlain = false
      var last = 0
      while end < rest.count, !isPlain {
        let following = rest.dropFirst(end)
        isPlain = Bytes.isPlain(following.firstScalar)
        last = following.firstScalarLength
        end &+= last
      }
      let joined = rest.prefix(end).dropFirst(plain.count &- before)
      total &+= joined.string.count &- (before == 0 ? 0 : 1)
      if !isPlain { return total }
      // The plain scalar at the end begins the rest.
      total &-= 1
      rest = rest.dropFirst(end &- last)
    }
  }

  /// The length, in bytes, of its longest beginning of plain scalars, pictographs and marks that join them (GB9), and the
  /// number of clusters that begin there; `nil` where there is none.
  ///
  /// The text before ends with `plain`. A mark joins no control character (GB4); nothing behind a mark joins it that would
  /// not join the letter, or pictograph. The one that a scalar of another kind may join is left out, with its marks. Ends
  /// before more than 16 plain scalars in a row.
  private func markedLength(behind plain: Bytes) -> (bytes: Int, clusters: Int)? {
    var isControl = plain.last.map { $0 < 0x20 || $0 == 0x7F } ?? true
    var (index, clusters, run) = (0, 0, 0)
    var letter = 0
    while index < count {
      let rest = dropFirst(index)
      let scalar = rest.firstScalar
      if Bytes.isPlain(scalar) || Bytes.isPictograph(scalar) {
        if run == 16 { return (index, clusters) }
        isControl = scalar < 0x20 || scalar == 0x7F
        letter = index
        clusters &+= 1
        run &+= 1
      } else if !isControl, Bytes.isExtender(scalar) {
        run = 0
      } else {
        return letter > 0 ? (letter, clusters &- 1) : nil
      }
      index &+= rest.firstScalarLength
    }
    return (index, clusters)
  }

  /// Whether each scalar is one UTF-16 unit, and no two form a cluster.
  var isPlain: Bool {
    // Most texts are one scalar.
    firstScalarLength == count ? isEmpty || Bytes.isPlain(firstScalar) : plainLength == count
  }

  /// The length, in bytes, of its longest plain beginning.
  var plainLength: Int {
    var index = 0
    while index < count {
      if index <= count &- 64 &- Bytes.margin, isPlain(inBlockAt: index) {
        index &+= 64
        continue
      }
      if index <= count &- 16 &- Bytes.margin {
        let length = plainLength(of16At: index)
        index &+= length
        if length == 16 { continue }
      } else if Bytes.isContinuation(self[index]) {
        // A block ended within a scalar.
        index &+= 1
        continue
      }
      let rest = dropFirst(index)
      if !Bytes.isPlain(rest.firstScalar) { break }
      index &+= rest.firstScalarLength
    }
    return index
  }

  /// Whether `scalar` joins a letter before it: its Grapheme_Cluster_Break is Extend, but for emoji modifiers.
  static func isExtender(_ scalar: UInt32) -> Bool {
    if scalar < firstMark { return false }
    return isFrequentMark(scalar)
      || Unicode.Scalar(scalar)?.properties.isGraphemeExtend ?? false
  }

  /// Whether `scalar` is of the blocks of pictographs, in which none joins another but by a joiner (GB11).
  private static func isPictograph(_ scalar: UInt32) -> Bool {
    switch scalar {
    // Without emoji modifiers and regional indicators.
    case 0x2600...0x27BF, 0x1F300...0x1F3FA, 0x1F400...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF:
      true
    default: false
    }
  }

  /// Whether `scalar` is one UTF-16 unit, and never forms a cluster with another such scalar.
  static func isPlain(_ scalar: UInt32) -> Bool {
    // Of ASCII, only a carriage return joins another scalar: the newline behind it.
    scalar < 0x80 ? scalar != .carriageReturn : isSimple(scalar)
  }

  /// How many bytes behind a block `unplain` looks at.
  private static let margin = 2

  /// Whether `unplain` finds nothing in the 64 bytes from `offset` on.
  @inline(__always) private func isPlain(inBlockAt offset: Int) -> Bool {
    let bytes = load(offset, as: Block.self)
    let next = load(offset &+ 1, as: Block.self)
    let third = load(offset &+ 2, as: Block.self)
    let found =
      ((Bytes.unplain(bytes.0, next.0, third.0) .| Bytes.unplain(bytes.1, next.1, third.1))
      .| (Bytes.unplain(bytes.2, next.2, third.2) .| Bytes.unplain(bytes.3, next.3, third.3)))
      .words
    return found[0] | found[1] == 0
  }

  /// How many of the 16 bytes from `offset` on precede the first that `unplain` finds.
  @inline(__always) private func plainLength(of16At offset: Int) -> Int {
    let bytes = load(offset, as: SIMD16<UInt8>.self)
    let next = load(offset &+ 1, as: SIMD16<UInt8>.self)
    let found = Bytes.unplain(bytes, next, load(offset &+ 2, as: SIMD16<UInt8>.self))
    return (found .& .!Bytes.letters(bytes, next)).firstTrue ?? 16
  }

  /// Which of 16 bytes begin letters that `unplain` does not know, and that are plain: those of Latin, Greek, Cyrillic,
  /// Armenian, Hebrew, Arabic and Hangul, but for the few whose lead bytes begin others, too; `next` are the bytes behind
  /// each.
  @inline(__always) private static func letters(
    _ bytes: SIMD16<UInt8>, _ next: SIMD16<UInt8>
  ) -> SIMDMask<SIMD16<Int8>> {
    func lead(_ range: ClosedRange<UInt8>) -> SIMDMask<SIMD16<Int8>> { bytes.lie(in: range) }
    func following(_ range: ClosedRange<UInt8>) -> SIMDMask<SIMD16<Int8>> { next.lie(in: range) }
    // U+00C0 to U+02FF; U+0380 to U+047F, U+04C0 to U+057F; U+048A to U+04BF.
    let western = lead(0xC3...0xCB) .| lead(0xCE...0xD1) .| lead(0xD3...0xD5)
    let cyrillic = lead(0xD2...0xD2) .& following(0x8A...0xBF)
    // U+05D0 to U+05EA, U+0620 to U+064A, U+0680 to U+06BF.
    let semitic =
      (lead(0xD7...0xD7) .& following(0x90...0xAA)) .| (lead(0xD8...0xD8) .& following(0xA0...0xBF))
      .| (lead(0xD9...0xD9) .& following(0x80...0x8A)) .| lead(0xDA...0xDA)
    // U+AC00 to U+D77F.
    let hangul =
      (lead(0xEA...0xEA) .& following(0xB0...0xBF)) .| lead(0xEB...0xEC)
      .| (lead(0xED...0xED) .& following(0x80...0x9D))
    return western .| cyrillic .| semitic .| hangul
  }

  /// Which of 16 bytes begin a scalar that may not be plain; `next` and `third` are the bytes one and two behind each.
  ///
  /// A quick test for blocks: ASCII but for the carriage return passes for plain, and so do scalars that begin with E3 to E9
  /// (kana, ideographs, their punctuation) but for U+3020 to U+303F, U+3099, U+309A, and U+3280 to U+32BF. `isPlain`
  /// decides on all others.
  @inline(__always) private static func unplain(
    _ bytes: SIMD16<UInt8>, _ next: SIMD16<UInt8>, _ third: SIMD16<UInt8>
  ) -> SIMDMask<SIMD16<Int8>> {
    typealias Lanes = SIMD16<UInt8>
    // Continuation bytes are less than each lead.
    let isOtherLead =
      (bytes .>= Lanes(repeating: 0xC0))
      .& ((bytes &- Lanes(repeating: 0xE3)) .> Lanes(repeating: 0xE9 - 0xE3))
    let isExcepted =
      (bytes .== Lanes(repeating: 0xE3))
      .& (((next .== Lanes(repeating: 0x80)) .& (third .>= Lanes(repeating: 0xA0)))
        .| ((next .== Lanes(repeating: 0x82))
          .& ((third .== Lanes(repeating: 0x99)) .| (third .== Lanes(repeating: 0x9A))))
        .| (next .== Lanes(repeating: 0x8A)))
    return (bytes .== Lanes(repeating: .carriageReturn)) .| isOtherLead .| isExcepted
  }
}

extension SIMD16<UInt8> {
  /// Which of the bytes lie in `range`.
  @inline(__always) fileprivate func lie(in range: ClosedRange<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    (self &- Self(repeating: range.lowerBound))
      .<= Self(repeating: range.upperBound - range.lowerBound)
  }
}
