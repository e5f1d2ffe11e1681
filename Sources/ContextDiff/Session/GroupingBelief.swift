/// What a host undoes in one step, as far as the undos seen tell: a run of edits, a word of one, or a single edit.
///
/// Browsers undo a run of typing, or of erasing, at once; code editors undo words; many fields undo each edit. A
/// session begins by believing in runs, and learns from each undo that is certain, or that its key tells.
struct GroupingBelief: Sendable, Equatable {
  /// How much of a run an undo took back; several are true of a run of one word, or of one edit.
  struct Part {
    /// The whole run.
    var isRun = false
    /// Text to a word's start or end.
    var isWord = false
    /// A single edit.
    var isEdit = false
  }

  /// How likely it is that the host undoes runs, words, and single edits, as binary logarithms; 0 for the likeliest.
  private(set) var bits = SIMD3(0, Measured.groupsLess, Measured.groupsLess)

  /// Whether a host that undoes single edits is at least as likely as at the session's start.
  var mayBeOfEdits: Bool { bits[2] >= Measured.groupsLess }

  /// The weight of an undo of `part`.
  func weight(of part: Part) -> Double { (bits + GroupingBelief.weights(of: part)).max() }

  /// The weight of undoing one of two steps that browsers undo together.
  var weightOfBrokenBond: Double { (bits + SIMD3(Measured.undoBond, 0, 0)).max() }

  /// Learns from an undo of `part`.
  mutating func observe(_ part: Part) {
    bits += GroupingBelief.weights(of: part)
    bits = pointwiseMax(bits - bits.max(), SIMD3(repeating: Measured.groupsLeast))
  }

  /// The weight of an undo of `part` by a host of runs, of words, and of single edits.
  private static func weights(of part: Part) -> SIMD3<Double> {
    let other = part.isRun ? Measured.undoWholeRun : Measured.undoPart
    return SIMD3(part.isRun ? 0 : other, part.isWord ? 0 : other, part.isEdit ? 0 : other)
  }
}
