extension Candidate {
  /// How many scalars, four at most, the pair keeps that need not have been kept: a run of blanks
  /// counts as one, for indentation is the same in many places.
  func evidence(in pair: borrowing Pair) -> Int {
    let seen = pair.new.before.bytes
    let before = seen.dropLast(min(action.shownInsertion, seen.count))
    let after = pair.new.after.bytes
    let left = Evidence.count(endOf: before.suffix(min(keptLeft, before.count)))
    // A side that is cut elsewhere must show by itself that it is the same text.
    if isRecutLeft && left < Evidence.enough { return 0 }
    if left >= Evidence.enough && !isRecutRight { return left }
    let right = Evidence.count(startOf: after.prefix(min(keptRight, after.count)))
    return isRecutRight && right < Evidence.enough ? 0 : left + right
  }
}

enum Evidence {
  /// The model's four scalars.
  static let enough = 4

  static func count(endOf text: Bytes) -> Int {
    var rest = text
    var total = 0
    var wasBlank = false
    while total < enough, let last = rest.last {
      let isBlank = last == 0x20 || last == 0x09 || last == 0x0A
      if !isBlank || !wasBlank { total += 1 }
      wasBlank = isBlank
      rest = rest.dropLast(rest.lastScalarLength)
    }
    return total
  }

  static func count(startOf text: Bytes) -> Int {
    var rest = text
    var total = 0
    var wasBlank = false
    while total < enough, let first = rest.first {
      let isBlank = first == 0x20 || first == 0x09 || first == 0x0A
      if !isBlank || !wasBlank { total += 1 }
      wasBlank = isBlank
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return total
  }
}
