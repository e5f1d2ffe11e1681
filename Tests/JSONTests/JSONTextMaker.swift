import Foundation
import TestSupport

/// Makes random JSON texts: any white space, any way to write a string or a number.
struct JSONTextMaker {
  var random: SeededGenerator

  mutating func text(depth: Int = 0) -> String {
    space() + value(depth: depth) + space()
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0...(depth > 4 ? 4 : 7), using: &random) {
    case 0: return ["null", "true", "false"].randomElement(using: &random) ?? "null"
    case 1: return "\(Int.random(in: -100...100, using: &random))"
    case 2: return "\(Int64.random(in: .min ... .max, using: &random))"
    case 3:
      let exponent = random.chance(2) ? "e\(Int.random(in: -20...20, using: &random))" : ""
      return
        "\(Int.random(in: -9...9, using: &random)).\(UInt16.random(in: 0...999, using: &random))\(exponent)"
    case 4: return string()
    case 5, 6:
      var names: Set<String> = []
      let members = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ -> String? in
        let name = string()
        // Foundation takes canonically equal names for the same, so that they may not differ by
        // escapes alone either.
        guard names.insert(decoded(name)).inserted else { return nil }
        return space() + name + space() + ":" + text(depth: depth + 1)
      }
      return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    default:
      let elements = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        text(depth: depth + 1)
      }
      return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }
  }

  private func decoded(_ string: String) -> String {
    (try? JSONDecoder().decode(String.self, from: Data(string.utf8))) ?? string
  }

  private mutating func space() -> String {
    guard random.chance(4) else { return "" }
    return String(
      (0..<3).map { _ in [" ", "\t", "\n", "\r"].randomElement(using: &random) ?? " " })
  }

  private mutating func string() -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x3040...0x30FF, 0x3040...0x30FF,
      0xE000...0xFFFF, 0x1F600...0x1F64F, 0x10000...0x10FFFF,
    ]
    var text = "\""
    for _ in 0..<Int.random(in: 0...24, using: &random) {
      let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
      let value = UInt32.random(in: range, using: &random)
      guard let scalar = Unicode.Scalar(value) else { continue }
      if value < 0x20 || scalar == "\"" || scalar == "\\" || random.chance(8) {
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.chance(2))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
