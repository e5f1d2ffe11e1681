/// The longest prefix of one text that occurs in another, in bytes.
struct Overlap {
  var offset = 0
  var length = 0

  /// Finds the longest prefix of `pattern` in `text`; of several as long, the last one, which is the nearest to
  /// the caret.
  ///
  /// - Complexity: Linear in the two lengths, by Knuth, Morris and Pratt.
  init(of pattern: Bytes, in text: Bytes) {
    let borders = [Int].borders(pattern.count) { pattern[$0] }
    var match = 0
    for index in 0..<text.count {
      match = borders.extending(match, by: text[index], in: pattern)
      // Count whole scalars only: the scalars of one script share their first bytes.
      let isWhole = index + 1 == text.count || !Bytes.isContinuation(text[index + 1])
      if match > 0, match >= length, isWhole {
        length = match
        offset = index + 1 - match
      }
    }
  }

  /// The length of the longest suffix of `text` that is a prefix of `pattern`, in bytes; 0 where that is less
  /// than 8.
  static func longestEnd(of text: Bytes, thatBegins pattern: Bytes) -> Int {
    if pattern.count < 8 { return 0 }
    // Skip to the first place that shows the first 8 bytes of the pattern.
    var first = 0
    while first &+ 8 <= text.count, text.word(first) != pattern.word(0) { first &+= 1 }
    if first &+ 8 > text.count { return 0 }
    let borders = [Int].borders(pattern.count) { pattern[$0] }
    var length = 0
    for index in first..<text.count {
      length = borders.extending(length, by: text[index], in: pattern)
    }
    return length < 8 ? 0 : length
  }
}

extension [Int] {
  /// The length of the longest prefix of `pattern` with which a text ends after `byte`, where it ended with the first
  /// `length` bytes of `pattern` before; this array is the pattern's failure table.
  @inline(__always) fileprivate func extending(
    _ length: Int, by byte: UInt8, in pattern: Bytes
  ) -> Int {
    var length = length == count ? self[length - 1] : length
    while length > 0, byte != pattern[length] { length = self[length - 1] }
    return byte == pattern[length] ? length + 1 : length
  }

  /// The failure table of Knuth, Morris and Pratt: for each prefix of a text of `count` bytes, the length of the
  /// prefix's longest proper suffix with which the text begins.
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
