/// The model's own weights: how often people do what, as binary logarithms (bits).
///
/// The model spreads each weight evenly over its targets, such as the places for a caret; the readings do that.
enum Model {
  /// A character typed: 6; its scalar costs `Measured.scalar` besides.
  static var typed: Double { log2(6) }
  /// The caret moved: 4.
  static var moved: Double { log2(4) }
  /// A selection made or changed: 3.
  static var selected: Double { log2(3) }
  /// One character erased beside the caret: 3, over its two sides.
  static var erased: Double { log2(3) - log2(2) }
  /// Added to `erased` where there is text on one side only, which then has all of the 3.
  static var onlySide: Double { log2(2) }
  /// The pasteboard put in: 2.
  static var pasted: Double { log2(2) }
  /// A selection removed: 1 for cut and 3 for erased, which look the same without a pasteboard.
  static var cut: Double { log2(1 + 3) }
  /// A selection erased and not cut: 3.
  static var erasedSelection: Double { log2(3) }
  /// A field sent: ½.
  static var submitted: Double { log2(0.5) }
  /// One character erased on each side of the caret, `ap|ple` → `a|le`: ½.
  static var erasedBothSides: Double { log2(0.5) }
  /// Up to `exchangedReach` scalars on either side of the caret exchanged: 1, over the eight ranges that there are in a
  /// long text.
  ///
  /// Added where another act exchanges text beside the caret as well.
  static var exchangedOver: Double { -log2(8) }
  static let exchangedReach = 2
  /// The same, over the ranges that there are where `left` and `right` are the numbers of scalars on the caret's two sides,
  /// `exchangedReach` at most.
  static func exchanged(left: Int, right: Int) -> Double {
    -log2(Double(max(1, (left + 1) * (right + 1) - 1)))
  }

  /// The share of one of the places in a text of `length` scalars, in bits: the next lower power of two.
  static func place(among length: Int) -> Double {
    -Double(Int.bitWidth - (length + 1).leadingZeroBitCount)
  }
}

/// The binary logarithm; of a literal, a constant.
///
/// The compiler's own, for the standard library has none.
@inline(__always) func log2(_ value: Double) -> Double { _log2(value) }
