/// Random numbers that a seed repeats (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The sequence that `seed` begins.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// True once in `oneIn` times.
  public mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &self) == 0
  }
}
