/// What goes in one step of a host's undo, as far as what was taken back tells.
///
/// Browsers take a run of typing, or of erasing, back at once; editors of code take words, many fields each
/// edit by itself. A session begins with runs, and goes over to what it sees.
struct GroupingBelief: Sendable, Equatable {
  /// What of a run of edits was taken back; one word, or one edit, may be all of it.
  struct Part {
    /// All of it.
    var isRun = false
    /// Text up to where a word begins, or ends.
    var isWord = false
    /// A single edit.
    var isEdit = false
  }

  /// How likely it is that a run, a word and an edit goes at once, as binary logarithms; 0 for the likeliest.
  private(set) var bits = SIMD3(0, Measured.groupsWords, Measured.groupsEdits)

  /// What it weighs that a host takes `part` of a run back.
  func weight(of part: Part) -> Double { (bits + GroupingBelief.weights(of: part)).max() }

  /// What it weighs that one of two steps is taken back which browsers take back at once.
  func weight(ofBond weight: Double) -> Double { (bits + SIMD3(weight, 0, 0)).max() }

  /// Adds that `part` was taken back.
  mutating func observe(_ part: Part) {
    bits += GroupingBelief.weights(of: part)
    bits = pointwiseMax(bits - bits.max(), SIMD3(repeating: GroupingBelief.least))
  }

  /// Nothing is so unlikely that a few steps would not show it.
  private static let least = -12.0

  /// What it weighs that `part` goes at once where runs do, where words do, and where each edit does.
  private static func weights(of part: Part) -> SIMD3<Double> {
    let other = part.isRun ? Measured.undoWholeRun : Measured.undoPart
    return SIMD3(part.isRun ? 0 : other, part.isWord ? 0 : other, part.isEdit ? 0 : other)
  }
}
