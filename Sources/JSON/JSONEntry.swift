/// What the parser notes about one value (or one member's name): where it stands and how far it
/// goes.
///
/// The entries of a text follow each other in its order: a container's are its own, then those of
/// what it holds; a member is its name's entry and its value's entries.
@usableFromInline
struct JSONEntry {
  @usableFromInline
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, number, string, escapedString, array, object
  }

  /// Where the value's content begins in the text: a string's after its quotation mark.
  ///
  /// An escaped string's: how many bytes behind this entry its unescaped bytes begin.
  @usableFromInline var offset: UInt32
  @usableFromInline var packed: UInt32

  /// The largest length that an entry can hold.
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

  /// A container's: how many entries it takes, its own included.
  ///
  /// Anything else's: how many bytes, without quotation marks.
  @inlinable
  var length: Int { Int(packed >> 4) }

  /// How many entries further the next value's are.
  @inlinable
  var stride: Int { kind.rawValue >= Kind.array.rawValue ? length : 1 }
}
