internal import ContextDiff

/// The kinds of which a subscriber hears, one bit each.
struct KindFilter {
  private let bits: UInt32

  /// All kinds.
  static let all = KindFilter(Kind.allCases)

  /// Those of `kinds`.
  init(_ kinds: some Sequence<Kind>) {
    bits = kinds.reduce(0) { $0 | 1 << UInt32($1.slot) }
  }

  /// Whether the subscriber hears of `kind`.
  func contains(_ kind: Kind) -> Bool { bits & 1 << UInt32(kind.slot) != 0 }
}
