extension Hypothesis {
  /// Whether the new window still shows enough of the old scalars next to the caret to prove that it is the same
  /// text.
  func keepsEnough(in pair: Pair) -> Bool {
    let before = pair.new.before.bytes.dropLast(atMost: action.inserted.count)
    let after = pair.new.after.bytes.dropFirst(atMost: action.insertedBehind.count)
    let left = KeptScalars.count(endOf: before.suffix(atMost: keptLeft))
    // A side that is cut elsewhere must prove by its own text that it is the same.
    if isRecutLeft && left < Measured.evident { return false }
    let kept = KeptScalars.count(startOf: after.prefix(atMost: keptRight))
    return (isRecutRight ? kept : left + kept) >= Measured.evident
  }
}

extension Fields {
  /// Whether it shows enough text that it is a coincidence if other text looks the same.
  var showsEnough: Bool {
    KeptScalars.count(endOf: before.bytes) + KeptScalars.count(startOf: selected.bytes)
      + KeptScalars.count(startOf: after.bytes) >= Measured.evident
  }
}

extension Bytes {
  /// Whether the 12 bytes from `offset` on are 4 scalars of 3 bytes, of which none is an ideographic space.
  @inline(__always) fileprivate func holdsFourLetters(from offset: Int) -> Bool {
    holdsFourThreeByteScalars(from: offset)
      && !(isIdeographicSpace(at: offset) || isIdeographicSpace(at: offset &+ 3)
        || isIdeographicSpace(at: offset &+ 6) || isIdeographicSpace(at: offset &+ 9))
  }

  /// Whether two windows that share this are cuts of one text (`Measured.overlaid`).
  var isOverlap: Bool { scalarCount(upTo: Measured.overlaid) == Measured.overlaid }
}

/// Counts scalars as evidence that two texts are the same, up to `Measured.evident`; a run of blanks and newlines counts as
/// one, because indentation is alike in many places.
enum KeptScalars {
  /// Whether `left`, from its end on, and `right`, from its start on, hold `Measured.evident` scalars together.
  static func areEnough(endOf left: Bytes = .empty, startOf right: Bytes = .empty) -> Bool {
    count(endOf: left) + count(startOf: right) >= Measured.evident
  }

  static func count(endOf text: Bytes) -> Int { count(text, fromEnd: true) }

  static func count(startOf text: Bytes) -> Int { count(text, fromEnd: false) }

  @inline(__always) private static func count(_ text: Bytes, fromEnd: Bool) -> Int {
    if Measured.evident <= 4, text.count >= 12,
      text.holdsFourLetters(from: fromEnd ? text.count &- 12 : 0)
    {
      // Four, which are enough.
      return Measured.evident
    }
    var total = 0
    var wasBlank = false
    var passed = 0
    while total < Measured.evident, passed < text.count {
      let index = fromEnd ? text.count &- 1 &- passed : passed
      let byte = text[index]
      passed &+= 1
      if Bytes.isContinuation(byte) { continue }
      let isBlank = byte.isWhitespace || text.isIdeographicSpace(at: index)
      if !isBlank || !wasBlank { total &+= 1 }
      wasBlank = isBlank
    }
    return total
  }
}
