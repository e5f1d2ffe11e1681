/// The scalars that end a sentence.
public struct Terminators: Sendable, Hashable {
  /// The model's own: `。．.!?！？…`.
  public static let standard = Terminators("。．.!?！？…")

  /// Bit n: whether the ASCII scalar n, in `highASCII` 64 + n, is a terminator.
  private var lowASCII: UInt64 = 0
  private var highASCII: UInt64 = 0
  /// Bit n: whether one of the other terminators has n as its lowest 6 bits.
  ///
  /// A filter: a scalar whose bit is 0 is none of them.
  private var rests: UInt64 = 0
  /// The same for the next 6 bits: those of the last byte but one in UTF-8.
  private var middles: UInt64 = 0
  /// Up to 8 of the other terminators, the unused lanes being 0; `more` holds the rest.
  ///
  /// A vector and no array, because copying a pair would count the array's references.
  private var few = SIMD8<UInt16>()
  private var more: Set<UInt32> = []

  /// Each scalar of `scalars`, in any order, ends a sentence; U+0000 is ignored, and so is the line feed, which has
  /// rules of its own.
  public init(_ scalars: String) {
    var count = 0
    // Each scalar once and sorted, so that the same scalars in another order give equal terminators.
    for scalar in Set(scalars.unicodeScalars).sorted()
    where scalar != "\n" && scalar != "\0" {
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

  /// Whether both hold the same scalars.
  ///
  /// Written out, because each keystroke asks, and the compiler compares lane by lane.
  @inline(__always) public static func == (left: Terminators, right: Terminators) -> Bool {
    // Unsafe: as many bits.
    let few = unsafe unsafeBitCast(left.few ^ right.few, to: SIMD2<UInt64>.self)
    let ascii = left.lowASCII ^ right.lowASCII | left.highASCII ^ right.highASCII
    return (few[0] | few[1] | ascii) == 0
      && (left.more.isEmpty ? right.more.isEmpty : left.more == right.more)
  }

  /// Whether `scalar` ends a sentence.
  @inline(__always) func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return lowASCII &>> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return highASCII &>> UInt64(scalar) & 1 == 1 }
    return rests &>> UInt64(scalar) & 1 == 1 && isOneOfOthers(scalar)
  }

  /// Whether a scalar whose UTF-8 ends with `byte` may be a terminator.
  @inline(__always) func mayContain(endingWith byte: UInt8) -> Bool {
    // A scalar's last six bits are those of its last byte.
    byte < 0x80 ? contains(UInt32(byte)) : rests &>> UInt64(byte & 0x3F) & 1 == 1
  }

  /// Whether a sentence ends with the scalar `last`, which `next` follows: behind a run of terminators, not within it.
  @inline(__always) func endSentence(with last: UInt32, before next: UInt32) -> Bool {
    contains(last) && !contains(next)
  }

  /// Whether one of four scalars of 3 bytes each may be a terminator; `bytes` are these 12 bytes, little-endian.
  ///
  /// `true` also where the 12 bytes are not four such scalars.
  @inline(__always) func mayContain(oneOfFour bytes: (UInt64, UInt32)) -> Bool {
    let misfits =
      bytes.0 & 0x00F0_0000_F000_00F0 ^ 0x00E0_0000_E000_00E0 | UInt64(bytes.1 & 0xF000 ^ 0xE000)
    guard misfits == 0 else { return true }
    let found =
      middles &>> (bytes.0 &>> 8) | middles &>> (bytes.0 &>> 32) | middles &>> (bytes.0 &>> 56)
      | middles &>> UInt64(bytes.1 &>> 16)
    return found & 1 == 1
  }

  private func isOneOfOthers(_ scalar: UInt32) -> Bool {
    few.indices.contains { few[$0] == scalar } || more.contains(scalar)
  }
}
