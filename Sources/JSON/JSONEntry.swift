/// What the parser notes of one value, or of one member's name: its kind, its place and its length.
///
/// The entries of a text lie in the text's order. A container's own entry precedes those of its elements or members; of
/// a member, the name's entry precedes those of the value.
@usableFromInline
struct JSONEntry {
  @usableFromInline
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, number, string, escapedString, array, object
  }

  /// Where the value begins, in bytes from the text's start; a string's content begins after its quotation mark.
  ///
  /// Of a string with escapes: where its unescaped bytes begin, in bytes from this entry.
  @usableFromInline var offset: UInt32
  /// `length` in the upper 28 bits, `kind` in the lower 4.
  @usableFromInline var packed: UInt32

  /// The largest length that an entry can hold: it has 28 bits.
  static let maximumLength = 1 << 28 - 1

  @inlinable
  init(_ kind: Kind, offset: Int, length: Int) {
    self.offset = UInt32(truncatingIfNeeded: offset)
    packed = UInt32(truncatingIfNeeded: length) << 4 | UInt32(kind.rawValue)
  }

  @inlinable
  var kind: Kind {
    // Unsafe: only `init(_:offset:length:)` writes `packed`, from a kind.
    unsafe unsafeBitCast(UInt8(truncatingIfNeeded: packed & 15), to: Kind.self)
  }

  /// Of a container: how many entries it has, its own included; of anything else: how many bytes, without quotation
  /// marks.
  @inlinable
  var length: Int { Int(packed >> 4) }

  /// How many entries the value has: the next value's begin behind them.
  @inlinable
  var stride: Int { kind.rawValue >= Kind.array.rawValue ? length : 1 }
}
