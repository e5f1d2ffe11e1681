internal import Logging

extension Logger.MetadataValue {
  /// The value as text, without a copy where it is a string.
  var text: String {
    if case .string(let text) = self { text } else { description }
  }
}

extension [UInt8] {
  /// Appends the bytes of `text`.
  mutating func append(_ text: String) {
    var text = text
    // Unsafe: the text's own bytes, copied while they are lent.
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }

  /// Appends `text`; of a text longer than `limit` bytes, the whole scalars in the first `limit` bytes and `…`.
  mutating func append(_ text: String, atMost limit: Int) {
    var text = text
    // Unsafe: the text's own bytes, copied while they are lent.
    text.withUTF8 { unsafe append($0, atMost: limit) }
  }

  /// Appends `text` as ``append(_:atMost:)-(String,_)`` does, with U+FFFD in place of each control of C0, C1 and text
  /// direction, and of each line and paragraph separator.
  ///
  /// Messages hold names that clients chose: a newline in a name must not look like a new entry, an escape sequence
  /// must not move a terminal's cursor, and a control of direction must not reorder the text that follows.
  mutating func append(visible text: String, atMost limit: Int) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      // Unsafe: the text's own bytes, copied while they are lent.
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

  /// Whether a byte of UTF-8 neither is nor begins a character that `isControl` names.
  ///
  /// The controls of C1 begin with C2, U+061C with D8, and the others beyond ASCII with E2; so do other characters.
  private func mayBePlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xD8 && byte != 0xE2
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private mutating func append(_ utf8: UnsafeBufferPointer<UInt8>, atMost limit: Int) {
    // Unsafe: the caller lends the bytes, which are copied at once; every index is below their count.
    guard utf8.count > limit else { return unsafe append(contentsOf: utf8) }
    var cut = limit
    while cut > 0, unsafe UTF8.isContinuation(utf8[cut]) { cut -= 1 }
    unsafe append(contentsOf: utf8[..<cut])
    append("…")
  }
}
