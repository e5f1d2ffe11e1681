internal import Logging

extension Logger.MetadataValue {
  /// The value as text, without a copy where it is a string.
  var text: String {
    if case .string(let text) = self { text } else { description }
  }
}

extension [UInt8] {
  /// Adds the bytes of `text`.
  mutating func append(_ text: String) {
    var text = text
    // Unsafe: the text's own bytes, copied while they are lent.
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }

  /// Adds `text`, or as many of its whole scalars as `limit` bytes hold and then `…`.
  mutating func append(_ text: String, atMost limit: Int) {
    var text = text
    // Unsafe: as above.
    text.withUTF8 { unsafe append($0, atMost: limit) }
  }

  /// Adds `text` as ``append(_:atMost:)-(String,_)`` does, with each control character as U+FFFD, be
  /// it of C0, of C1, or one that turns the direction of text round.
  ///
  /// Names that a client chose stand in messages: a newline in one must not begin an entry, nor an
  /// escape move a terminal's cursor, nor may it show what follows in another order.
  mutating func append(visible text: String, atMost limit: Int) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      // Unsafe: as above.
      let isPlain = unsafe bytes.allSatisfy(mayBePlain)
      if isPlain { unsafe append(bytes, atMost: limit) }
      return isPlain
    }
    guard !isPlain else { return }
    var visible = ""
    visible.unicodeScalars.append(
      contentsOf: text.unicodeScalars.map {
        isControl($0) ? "\u{FFFD}" : $0
      })
    append(visible, atMost: limit)
  }

  /// Whether a byte begins, or is, no control: C1's begin with C2, U+061C with D8, the others with E2.
  private func mayBePlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xD8 && byte != 0xE2
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private mutating func append(_ utf8: UnsafeBufferPointer<UInt8>, atMost limit: Int) {
    // Unsafe: bytes that the caller lends, copied at once, at places below their count.
    guard utf8.count > limit else { return unsafe append(contentsOf: utf8) }
    var cut = limit
    while cut > 0, unsafe UTF8.isContinuation(utf8[cut]) { cut -= 1 }
    unsafe append(contentsOf: utf8[..<cut])
    append("…")
  }
}
