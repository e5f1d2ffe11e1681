/// How two cuts of the text left of a caret lie over each other.
///
/// The old one is `oldCut` bytes that the new one does not reach, then `kept`, then what is gone;
/// the new one `newCut` bytes that the old one did not reach, then `kept`, then what has come. At
/// most one of the cuts is not 0.
struct Alignment {
  var oldCut = 0
  var newCut = 0
  var kept = 0

  /// Lays `new` over `old`, both cut at the same place, or, where that keeps less than half of the
  /// shorter and `allowsCut`, at the two places that keep the most.
  ///
  /// `common` is how many bytes they begin with in common.
  ///
  /// - Complexity: Linear in the two lengths.
  init(old: Bytes, new: Bytes, common: Int, allowsCut: Bool) {
    kept = old.scalarStart(atOrBefore: common)
    if !allowsCut || kept &* 2 >= min(old.count, new.count) { return }
    let later = Overlap(of: new, in: old)
    if later.length > kept {
      oldCut = later.offset
      kept = later.length
    }
    let earlier = Overlap(of: old, in: new)
    if earlier.length > kept {
      oldCut = 0
      newCut = earlier.offset
      kept = earlier.length
    }
  }

  /// Whether the two are cut elsewhere.
  var isCut: Bool { oldCut > 0 || newCut > 0 }

  func kept(of old: Bytes) -> Bytes { old.dropFirst(oldCut).prefix(kept) }
  func gone(from old: Bytes) -> Bytes { old.dropFirst(oldCut &+ kept) }
  func come(in new: Bytes) -> Bytes { new.dropFirst(newCut &+ kept) }
}

/// Where in a text the longest stretch begins that another text begins with.
struct Overlap {
  var offset = 0
  var length = 0

  /// Looks for the longest beginning of `pattern` in `text`; of several as long, the last: it is the nearest
  /// to the caret, so that the least goes or comes there.
  ///
  /// - Complexity: Linear in the two lengths, by Knuth, Morris and Pratt.
  init(of pattern: Bytes, in text: Bytes) {
    let borders = [Int].borders(pattern.count) { pattern[$0] }
    var match = 0
    for index in 0..<text.count {
      if match == pattern.count { match = borders[match - 1] }
      while match > 0, text[index] != pattern[match] { match = borders[match - 1] }
      if text[index] == pattern[match] { match += 1 }
      // Only whole scalars are the same text: those of one script begin with the same bytes.
      let isWhole = index + 1 == text.count || !Bytes.isContinuation(text[index + 1])
      if match > 0, match >= length, isWhole {
        length = match
        offset = index + 1 - match
      }
    }
  }
}

extension Known {
  /// Where in the known text the new window begins, where both windows are cuts of one text that agree on
  /// all they have in common; `nil` where that is too little to go by, or where either side of the caret
  /// alone tells.
  ///
  /// - Complexity: Linear in the two windows.
  func overlaidStart(from old: Fields, to new: Fields) -> Int? {
    let old = old.all.contiguous
    let new = new.all.contiguous
    let visible = visible.lowerBound
    return old.withBytes { old in
      new.withBytes { new in
        // The new window farther on, or farther back.
        let later = Overlap.longestEnd(of: old, thatBegins: new)
        let earlier = Overlap.longestEnd(of: new, thatBegins: old)
        let isLater = later >= earlier
        let common = isLater ? new.prefix(later) : old.prefix(earlier)
        if common.newScalars < Measured.overlaid {
          return new.onlyPlace(in: old).map { visible + $0 }
        }
        return visible + (isLater ? old.count - later : earlier - new.count)
      }
    }
  }
}

extension Bytes {
  /// Where this is in `text`, of which it is a part that is long enough to go by; `nil` where it is in none or
  /// in several places.
  ///
  /// A selection may be longer than what is shown beside a caret within it.
  ///
  /// - Complexity: Linear in the two lengths.
  fileprivate func onlyPlace(in text: Bytes) -> Int? {
    if count >= text.count || newScalars < Measured.overlaid { return nil }
    var places = Occurrences(of: self, in: Joined(text))
    guard let place = places.next(), places.next() == nil else { return nil }
    return place
  }
}

extension Overlap {
  /// How long the longest end of `text` is that `pattern` begins with, by Knuth, Morris and Pratt; 0 where
  /// that is shorter than eight bytes.
  static func longestEnd(of text: Bytes, thatBegins pattern: Bytes) -> Int {
    if pattern.count < 8 { return 0 }
    // It begins no sooner than the first eight bytes are seen.
    var first = 0
    while first &+ 8 <= text.count, text.word(first) != pattern.word(0) { first &+= 1 }
    if first &+ 8 > text.count { return 0 }
    let borders = [Int].borders(pattern.count) { pattern[$0] }
    var length = 0
    for index in first..<text.count {
      if length == pattern.count { length = borders[length - 1] }
      while length > 0, text[index] != pattern[length] { length = borders[length - 1] }
      if text[index] == pattern[length] { length += 1 }
    }
    return length < 8 ? 0 : length
  }
}

extension [Int] {
  /// For each beginning of a text of `count` bytes how long an end of it the text begins with, by Knuth,
  /// Morris and Pratt.
  @inline(__always) static func borders(_ count: Int, of byte: (Int) -> UInt8) -> [Int] {
    var borders = [Int](repeating: 0, count: count)
    var length = 0
    for index in 1..<Swift.max(1, count) {
      let next = byte(index)
      while length > 0, next != byte(length) { length = borders[length - 1] }
      if next == byte(length) { length += 1 }
      borders[index] = length
    }
    return borders
  }
}
