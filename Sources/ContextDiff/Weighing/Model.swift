/// The model's own weights (MODEL, part 4): how often people do what, as binary logarithms.
///
/// The model spreads each evenly over its targets; the readings do that.
enum Model {
  /// A character typed: 6; which one it is costs `Measured.scalar`.
  static var typed: Double { log2(6) }
  /// The caret moved: 4.
  static var moved: Double { log2(4) }
  /// A selection made or changed: 3.
  static var selected: Double { log2(3) }
  /// Erased beside the caret: 3, over its two sides.
  static var erased: Double { log2(3) - log2(2) }
  /// Erased beside a caret that has text on one side alone: all of the 3.
  static var onlySide: Double { log2(2) }
  /// The pasteboard put in: 2.
  static var pasted: Double { log2(2) }
  /// A selection taken away: 1 cut and 3 erased, which look the same without a pasteboard.
  static var cut: Double { log2(1 + 3) }
  /// A selection erased, where it counts under its own name: 3.
  static var erasedSelection: Double { log2(3) }
  /// A field sent: ½.
  static var submitted: Double { log2(0.5) }
  /// Up to two on either side of the caret exchanged: 1, over the ranges that `left` and `right` offer,
  /// each a count of scalars up to two.
  static func exchanged(left: Int, right: Int) -> Double {
    -log2(Double(max(1, (left + 1) * (right + 1) - 1)))
  }

  /// The share of one place among those that `length` scalars of text offer, to a half.
  static func place(among length: Int) -> Double {
    -Double(Int.bitWidth - (length + 1).leadingZeroBitCount)
  }
}

/// The binary logarithm, of a literal a constant.
///
/// It is the compiler's own: the standard library leaves the function to modules that the engine does
/// not import.
@inline(__always) func log2(_ value: Double) -> Double { _log2(value) }
