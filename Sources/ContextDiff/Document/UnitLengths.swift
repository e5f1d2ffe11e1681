/// How many bytes an edit's units, at least one, take beside a caret.
///
/// Little more text is read than these units take: clusters are counted from the nearest place at which one certainly
/// begins.
enum UnitLengths {
  /// The possible lengths in bytes, more than one where the host decides, and whether the text has fewer units.
  typealias Lengths = (lengths: [Int], isBeyond: Bool)

  /// The bytes of the first `count` units of `text`, or, if `isBackward`, of the last; a scalar that they take in part
  /// counts whole.
  private static func lengths(
    of text: Bytes, _ count: Int, _ unit: Edit.Unit, isBackward: Bool
  ) -> Lengths {
    switch unit {
    case .graphemes: isBackward ? last(clusters: count, of: text) : first(clusters: count, of: text)
    case .backspace: presses(count, of: text, isBackward: isBackward)
    case .scalars, .utf16, .bytes: scalars(count, of: text, unit, isBackward: isBackward)
    }
  }

  /// The same, where that is quickly counted: few scalars, or the last clusters where each is a scalar; else `nil`.
  private static func quickLengths(
    of text: Bytes, _ count: Int, _ unit: Edit.Unit, isBackward: Bool
  ) -> Lengths? {
    switch unit {
    case .graphemes, .backspace:
      isBackward ? lastSimple(count, of: text).map { ([$0], false) } : nil
    case .scalars, .utf16, .bytes:
      count < 8 ? scalars(count, of: text, unit, isBackward: isBackward) : nil
    }
  }

  /// How many units a scalar of `length` bytes of UTF-8 is.
  private static func size(_ length: Int, in unit: Edit.Unit) -> Int {
    switch unit {
    case .bytes: length
    case .utf16: length == 4 ? 2 : 1
    case .scalars, .graphemes, .backspace: 1
    }
  }

  private static func scalars(
    _ count: Int, of text: Bytes, _ unit: Edit.Unit, isBackward: Bool
  ) -> Lengths {
    var taken = 0
    var units = 0
    while units < count, taken < text.count {
      let length =
        isBackward
        ? text.dropLast(taken).lastScalarLength : text.dropFirst(taken).firstScalarLength
      taken += length
      units += size(length, in: unit)
    }
    return ([taken], units < count)
  }

  /// A cache of lengths, by text: an announced edit is made once for each window, and often in texts that differ only
  /// on the caret's other side.
  final class Counted {
    private struct Question: Hashable {
      let text: [UInt8]
      let count: Int
      let unit: Edit.Unit
      let isBackward: Bool

      static func == (one: Question, other: Question) -> Bool {
        one.count == other.count && one.unit == other.unit && one.isBackward == other.isBackward
          && one.text.isSame(as: other.text)
      }

      func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        text.withBytes { $0.hash(into: &hasher) }
      }
    }

    private var answers: [Question: Lengths] = [:]

    func lengths(
      of text: [UInt8], _ count: Int, _ unit: Edit.Unit, isBackward: Bool
    ) -> Lengths {
      // Counting anew what is quickly counted is faster than looking the text up.
      let quick = text.withBytes {
        UnitLengths.quickLengths(of: $0, count, unit, isBackward: isBackward)
      }
      if let quick { return quick }
      let question = Question(text: text, count: count, unit: unit, isBackward: isBackward)
      if let answer = answers[question] { return answer }
      let answer = text.withBytes {
        UnitLengths.lengths(of: $0, count, unit, isBackward: isBackward)
      }
      answers[question] = answer
      return answer
    }
  }

  // MARK: - Grapheme clusters

  private static func last(clusters count: Int, of text: Bytes) -> Lengths {
    let starts = clusterStarts(last: count, of: text)
    if starts.count < count { return ([text.count], true) }
    return ([text.count - starts[starts.count - count]], false)
  }

  private static func first(clusters count: Int, of text: Bytes) -> Lengths {
    let ends = clusterEnds(first: count, of: text)
    if ends.count < count { return ([text.count], true) }
    return ([ends[count - 1]], false)
  }

  /// The bytes of the last `count` scalars, where each of them and the one before are simple (`Bytes.isSimple`) and so
  /// clusters of their own; else `nil`.
  private static func lastSimple(_ count: Int, of text: Bytes) -> Int? {
    var taken = 0
    var scalars = 0
    while true {
      let rest = text.dropLast(taken)
      if rest.isEmpty { return scalars == count ? taken : nil }
      guard Bytes.isSimple(rest.lastScalar) else { return nil }
      if scalars == count { return taken }
      taken += rest.lastScalarLength
      scalars += 1
    }
  }

  /// The starts of at least the last `count` clusters of `text`, in order; of all where there are fewer.
  private static func clusterStarts(last count: Int, of text: Bytes) -> [Int] {
    var length = 256 + 16 * min(count, text.count)
    while true {
      let from = certainStart(in: text, atOrBefore: text.count - length)
      var starts: [Int] = []
      var offset = from
      for cluster in text.dropFirst(from).string {
        starts.append(offset)
        offset += cluster.utf8.count
      }
      if starts.count >= count || from == 0 { return starts }
      length *= 4
    }
  }

  /// The ends of the first `count` clusters of `text`; of all where there are fewer.
  private static func clusterEnds(first count: Int, of text: Bytes) -> [Int] {
    var length = 256 + 16 * min(count, text.count)
    while true {
      let part = text.firstScalars(within: length)
      var ends: [Int] = []
      var offset = 0
      for cluster in part.string {
        offset += cluster.utf8.count
        ends.append(offset)
        if ends.count == count, offset < part.count { return ends }
      }
      // The last cluster may go on beyond the part.
      if part.count == text.count { return ends }
      length *= 4
    }
  }

  /// How far back, in bytes, `certainStart` looks: farther than any cluster of a language reaches.
  private static let lookBack = 1_024

  /// The nearest offset at or before `offset` at which a cluster certainly begins: the text's start, or between two simple
  /// scalars (`Bytes.isSimple`); where there is none within `lookBack` bytes, the offset so many bytes before.
  private static func certainStart(in text: Bytes, atOrBefore offset: Int) -> Int {
    if offset <= 0 { return 0 }
    let end = max(0, offset - lookBack)
    var start = text.scalarStart(atOrBefore: offset)
    while start > end,
      !Bytes.isSimple(text.dropFirst(start).firstScalar)
        || !Bytes.isSimple(text.prefix(start).lastScalar)
    {
      start = text.scalarStart(atOrBefore: start - 1)
    }
    return start
  }

  // MARK: - Presses of a key

  /// The rules by which hosts erase on one press of Backspace.
  private enum Press: CaseIterable {
    /// The last scalar.
    case scalar
    /// The last scalar, and a joiner (ZWJ) before it, which would be left over.
    case joined
    /// The last scalar that is no mark, with the marks behind it: a cluster to hosts that do not know conjuncts.
    case marked
    /// The cluster where that is an emoji, else the last scalar (Chromium).
    case emoji
    /// The cluster.
    case cluster
  }

  /// The possible lengths of `count` presses of Backspace or Delete.
  private static func presses(_ count: Int, of text: Bytes, isBackward: Bool) -> Lengths {
    if !isBackward {
      let least = scalars(count, of: text, .scalars, isBackward: false)
      let most = first(clusters: count, of: text)
      return (
        least.lengths == most.lengths ? least.lengths : least.lengths + most.lengths,
        least.isBeyond
      )
    }
    let starts = clusterStarts(last: count, of: text)
    var lengths: Set<Int> = []
    var isBeyond = true
    for press in Press.allCases {
      let (taken, made) = last(count, of: text, press, starts)
      lengths.insert(taken)
      if made == count { isBeyond = false }
    }
    return (lengths.sorted(), isBeyond)
  }

  /// How many bytes `count` presses erase, by the rule `press`, at the end of `text`, whose last clusters begin at
  /// `starts`; and how many of the presses found anything to erase.
  private static func last(
    _ count: Int, of text: Bytes, _ press: Press, _ starts: [Int]
  ) -> (taken: Int, made: Int) {
    var end = text.count
    var starts = starts[...]
    for made in 0..<count {
      if end == 0 { return (text.count, made) }
      let rest = text.prefix(end)
      while let last = starts.last, last >= end { starts.removeLast() }
      let cluster = starts.last ?? 0
      switch press {
      case .scalar: end -= rest.lastScalarLength
      case .joined: end -= lastWithJoiner(of: rest)
      case .marked: end -= lastWithMarks(of: rest)
      case .emoji:
        end = isEmoji(rest.dropFirst(cluster)) ? cluster : end - rest.lastScalarLength
      case .cluster: end = cluster
      }
    }
    return (text.count - end, count)
  }

  /// The bytes that one press erases by `Press.marked`.
  private static func lastWithMarks(of text: Bytes) -> Int {
    var taken = 0
    while taken < text.count {
      let rest = text.dropLast(taken)
      taken += rest.lastScalarLength
      if !Bytes.isMark(rest.lastScalar) { break }
    }
    return taken
  }

  /// The bytes that one press erases by `Press.joined`.
  private static func lastWithJoiner(of text: Bytes) -> Int {
    let length = text.lastScalarLength
    let rest = text.dropLast(length)
    return rest.lastScalar == 0x200D ? length + rest.lastScalarLength : length
  }

  /// Whether a cluster is an emoji: it begins with one, or with a regional indicator.
  private static func isEmoji(_ cluster: Bytes) -> Bool {
    guard cluster.firstScalar > 0xFF else { return false }
    return Unicode.Scalar(cluster.firstScalar)?.properties.isEmoji ?? false
  }
}
