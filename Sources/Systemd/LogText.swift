internal import Logging

extension Logger.MetadataValue {
  /// The value as text, without a copy where it is a string.
  var text: String {
    if case .string(let text) = self { text } else { description }
  }
}

extension [UInt8] {
  /// Adds `text`, or as many of its whole scalars as `limit` bytes hold and then `…`.
  mutating func append(_ text: String, atMost limit: Int) {
    let utf8 = text.utf8
    guard var cut = utf8.index(utf8.startIndex, offsetBy: limit, limitedBy: utf8.endIndex),
      cut < utf8.endIndex
    else {
      append(contentsOf: utf8)
      return
    }
    while UTF8.isContinuation(utf8[cut]) { utf8.formIndex(before: &cut) }
    append(contentsOf: utf8[..<cut])
    append(contentsOf: "…".utf8)
  }

  /// Adds `text` as ``append(_:atMost:)`` does, with each control character as U+FFFD.
  ///
  /// Names that a client chose stand in messages: a newline in one must not begin an entry, nor an escape move a terminal's cursor.
  mutating func append(visible text: String, atMost limit: Int) {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }
    guard !isPlain else { return append(text, atMost: limit) }
    var visible = ""
    visible.unicodeScalars.append(
      contentsOf: text.unicodeScalars.map {
        $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
      })
    append(visible, atMost: limit)
  }
}
