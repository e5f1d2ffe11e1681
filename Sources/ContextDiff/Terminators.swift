/// The scalars that end a sentence.
public struct Terminators: Sendable, Hashable {
  /// The model's own: `。．.!?！？…`.
  public static let standard = Terminators("。．.!?！？…")

  /// One bit for each ASCII scalar.
  private var lowASCII: UInt64 = 0
  private var highASCII: UInt64 = 0
  private var others: [UInt32] = []
  /// One bit for each rest that one of `others` leaves when divided by 64: what leaves another is
  /// none of them.
  private var rests: UInt64 = 0

  /// Each scalar of `scalars` ends a sentence; a line break among them is ignored, as it separates
  /// by rules of its own.
  public init(_ scalars: String) {
    for scalar in scalars.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<64: lowASCII |= 1 << UInt64(scalar.value)
      case 64..<128: highASCII |= 1 << UInt64(scalar.value - 64)
      default:
        if !others.contains(scalar.value) { others.append(scalar.value) }
        rests |= 1 << UInt64(scalar.value % 64)
      }
    }
  }

  /// Whether `scalar` ends a sentence.
  @inline(__always) func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return lowASCII &>> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return highASCII &>> UInt64(scalar) & 1 == 1 }
    return rests &>> UInt64(scalar) & 1 == 1 && others.contains(scalar)
  }
}
