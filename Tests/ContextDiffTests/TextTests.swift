#if DEBUG  // What it tests is internal, and open to tests in debug builds alone.

  import Testing

  @testable import ContextDiff

  /// Bytes and Joined against plain arrays, at every length at which their words and blocks end.
  @Suite struct TextTests {
    /// `length` bytes of ASCII that do not repeat soon.
    private static func text(_ length: Int, seed: Int = 0) -> [UInt8] {
      (0..<length).map { UInt8(0x21 + ($0 * 7 + $0 / 13 + seed) % 90) }
    }

    @Test("Equality, common beginnings and ends, at every length from 0 to 130")
    func comparison() {
      for length in 0...130 {
        let left = Self.text(length)
        compare(left, left)
        for index in 0..<length {
          var right = left
          right[index] ^= 1
          compare(left, right)
        }
        compare(left, left + [0x21])
        compare(left, [0x21] + left)
        if length > 0 { compare(left, Array(left.dropLast())) }
      }
    }

    private func compare(_ left: [UInt8], _ right: [UInt8]) {
      let prefix = zip(left, right).prefix { $0 == $1 }.count
      let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
      left.withUnsafeBufferPointer { leftBuffer in
        right.withUnsafeBufferPointer { rightBuffer in
          let (mine, others) = (Bytes(leftBuffer), Bytes(rightBuffer))
          #expect((mine == others) == (left == right), "\(left.count), \(right.count)")
          #expect(mine.commonPrefix(others) == prefix)
          #expect(mine.commonSuffix(others) == suffix)
          #expect(mine.hasPrefix(others) == left.starts(with: right))
          #expect(mine.hasSuffix(others) == left.reversed().starts(with: right.reversed()))
        }
      }
    }

    @Test("Scalars are counted and found as String does, at every length from 0 to 130")
    func scalars() {
      let alphabet: [Unicode.Scalar] = ["a", "é", "か", "😀", "\u{3099}", "\n"]
      for length in 0...130 {
        var view = String.UnicodeScalarView()
        for index in 0..<length { view.append(alphabet[(index * 5 + index / 7) % alphabet.count]) }
        let string = String(view)
        string.withBytes { bytes in
          #expect(bytes.scalarCount == length)
          #expect(bytes.scalarCount(upTo: 20) == min(length, 20))
          #expect(bytes.firstScalar == view.first?.value ?? 0)
          #expect(bytes.lastScalar == view.last?.value ?? 0)
          for offset in 0...length {
            let expected = String(view.prefix(offset)).utf8.count
            #expect(bytes.byteOffset(ofScalar: offset) == expected)
          }
        }
      }
    }

    @Test("Text in three stretches reads as the same text in one")
    func joined() {
      let all = Self.text(24)
      all.withUnsafeBufferPointer { buffer in
        let whole = Bytes(buffer)
        for first in 0...24 {
          for second in first...24 {
            let parts = Joined(
              whole.prefix(first), whole.prefix(second).dropFirst(first), whole.dropFirst(second))
            #expect(parts == Joined(whole))
            #expect(parts.contiguous == all)
            for index in 0..<24 { #expect(parts[index] == all[index]) }
            for cut in stride(from: 0, through: 24, by: 5) {
              #expect(parts.prefix(cut).contiguous == Array(all.prefix(cut)))
              #expect(parts.dropFirst(cut).contiguous == Array(all.dropFirst(cut)))
              #expect(parts.commonPrefix(Joined(whole.prefix(cut))) == cut)
              #expect(parts.commonSuffix(Joined(whole.dropFirst(cut))) == 24 - cut)
            }
          }
        }
      }
    }

    @Test("Terminators of one's own are told from all other scalars, however many")
    func terminators() {
      let many = String(String.UnicodeScalarView((0x2460..<0x2480).compactMap(Unicode.Scalar.init)))
      for own in ["", "。", "!?", "😀|", "\n.", many, many + "ab😀"] {
        let terminators = Terminators(own)
        for value in Array(0..<0x500) + Array(0x2400..<0x2500) + [0x3002, 0x1F600, 0x10FFFF] {
          guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
          let expected = scalar != "\n" && own.unicodeScalars.contains(scalar)
          #expect(terminators.contains(UInt32(value)) == expected, "\(own) \(value)")
        }
      }
    }
  }

#endif
