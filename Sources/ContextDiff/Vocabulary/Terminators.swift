/// The scalars that end a sentence.
public struct Terminators: Sendable, Hashable {
  /// The model's own: `。．.!?！？…`.
  public static let standard = Terminators("。．.!?！？…")

  /// One bit for each ASCII scalar.
  private var lowASCII: UInt64 = 0
  private var highASCII: UInt64 = 0
  /// One bit for each rest that one of the other scalars leaves when divided by 64: what leaves
  /// another is none of them.
  private var rests: UInt64 = 0
  /// The same for the rests that their 64th parts leave: the bits of the byte before the last one in UTF-8.
  private var middles: UInt64 = 0
  /// As many of the others as have room; what is left over is 0.
  ///
  /// It counts no references, as an array would with each of a pair's copies.
  private var few = SIMD8<UInt16>()
  private var more: Set<UInt32> = []

  /// Each scalar of `scalars` ends a sentence; a line break among them is ignored, as it separates
  /// by rules of its own.
  public init(_ scalars: String) {
    var count = 0
    // Each once, and in one order: the same scalars are the same terminators, however they are given.
    for scalar in Set(scalars.unicodeScalars).sorted() where scalar != "\n" {
      switch scalar.value {
      case 0..<64: lowASCII |= 1 << UInt64(scalar.value)
      case 64..<128: highASCII |= 1 << UInt64(scalar.value - 64)
      case 128...0xFFFF where count < few.scalarCount:
        few[count] = UInt16(scalar.value)
        count += 1
      default: more.insert(scalar.value)
      }
      if scalar.value >= 128 {
        rests |= 1 << UInt64(scalar.value % 64)
        middles |= 1 << UInt64(scalar.value / 64 % 64)
      }
    }
  }

  /// Whether `scalar` ends a sentence.
  @inline(__always) func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return lowASCII &>> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return highASCII &>> UInt64(scalar) & 1 == 1 }
    return rests &>> UInt64(scalar) & 1 == 1 && isOneOfOthers(scalar)
  }

  /// Whether a scalar of which `byte` is the last one in UTF-8 may end a sentence.
  @inline(__always) func mayContain(endingWith byte: UInt8) -> Bool {
    // A scalar's last six bits are those of its last byte.
    byte < 0x80 ? contains(UInt32(byte)) : rests &>> UInt64(byte & 0x3F) & 1 == 1
  }

  /// Whether one of the four scalars may end a sentence that `bytes` are, twelve, the first of them lowest in
  /// each word; `true` where they are not four of three bytes.
  @inline(__always) func mayContain(oneOfFour bytes: (UInt64, UInt32)) -> Bool {
    let isOfThree =
      bytes.0 & 0x00F0_0000_F000_00F0 == 0x00E0_0000_E000_00E0 && bytes.1 & 0xF000 == 0xE000
    guard isOfThree else { return true }
    let found =
      middles &>> (bytes.0 &>> 8) | middles &>> (bytes.0 &>> 32) | middles &>> (bytes.0 &>> 56)
      | middles &>> UInt64(bytes.1 &>> 16)
    return found & 1 == 1
  }

  private func isOneOfOthers(_ scalar: UInt32) -> Bool {
    few.indices.contains { few[$0] == scalar } || more.contains(scalar)
  }
}
