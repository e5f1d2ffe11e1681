/// JSON that is safe to print on a terminal.
package enum TerminalJSON {
  /// Escapes in JSON the scalars that would control a terminal or reorder what it shows: U+007F to U+009F, line and
  /// paragraph separators, and what Unicode calls a directional control (`Bidi_Control`).
  ///
  /// The value is the same; JSON itself has only the controls up to U+001F escaped.
  package static func escaped(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 >= 0x7F }) else { return json }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if controlsTerminal(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      } else {
        escaped += String(scalar).utf8
      }
    }
    return escaped
  }

  /// Whether the scalar, which has no more than four digits then, is one to escape.
  private static func controlsTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x2028, 0x2029: true
    default: scalar.properties.isBidiControl
    }
  }
}
