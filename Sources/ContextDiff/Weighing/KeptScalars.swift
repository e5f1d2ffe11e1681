extension Hypothesis {
  /// How many scalars, four at most, the pair keeps that need not have been kept: a run of blanks
  /// counts as one, for indentation is the same in many places.
  func keptScalars(in pair: borrowing Pair) -> Int {
    let seen = pair.new.before.bytes
    let before = seen.dropLast(min(action.inserted.count, seen.count))
    let right = pair.new.after.bytes
    let after = right.dropFirst(min(action.insertedBehind.count, right.count))
    let left = KeptScalars.count(endOf: before.suffix(min(keptLeft, before.count)))
    // A side that is cut elsewhere must show by itself that it is the same text.
    if isRecutLeft && left < KeptScalars.enough { return 0 }
    if left >= KeptScalars.enough && !isRecutRight { return left }
    let kept = KeptScalars.count(startOf: after.prefix(min(keptRight, after.count)))
    return isRecutRight && kept < KeptScalars.enough ? 0 : left + kept
  }
}

extension Bytes {
  /// Whether the twelve bytes from `offset` on are four scalars of three bytes, as kana and
  /// ideographs have.
  @inline(__always) fileprivate func holdsFourThreeByteScalars(from offset: Int) -> Bool {
    let leads =
      self[offset] & self[offset &+ 3] & self[offset &+ 6] & self[offset &+ 9]
    return leads & 0xF0 == 0xE0
  }
}

enum KeptScalars {
  /// The model's four scalars.
  static let enough = 4

  static func count(endOf text: Bytes) -> Int {
    if text.count >= 12, text.holdsFourThreeByteScalars(from: text.count &- 12) { return enough }
    var index = text.count
    var total = 0
    var wasBlank = false
    while total < enough, index > 0 {
      index &-= 1
      count(text[index], &total, &wasBlank)
    }
    return total
  }

  static func count(startOf text: Bytes) -> Int {
    if text.count >= 12, text.holdsFourThreeByteScalars(from: 0) { return enough }
    var index = 0
    var total = 0
    var wasBlank = false
    while total < enough, index < text.count {
      count(text[index], &total, &wasBlank)
      index &+= 1
    }
    return total
  }

  /// Counts the scalar that begins with `byte`, if one does, unless it goes on a run of blanks.
  @inline(__always)
  private static func count(_ byte: UInt8, _ total: inout Int, _ wasBlank: inout Bool) {
    if Bytes.isContinuation(byte) { return }
    let isBlank = byte.isBlank || byte == .newline
    if !isBlank || !wasBlank { total &+= 1 }
    wasBlank = isBlank
  }
}
