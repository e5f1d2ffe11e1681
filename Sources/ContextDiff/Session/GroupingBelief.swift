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

  /// How likely it is that each goes at once, as binary logarithms; 0 for the likeliest.
  private(set) var run = 0.0
  private(set) var word = Measured.groupsWords
  private(set) var edit = Measured.groupsEdits

  /// What it weighs that a host takes `part` of a run back.
  func weight(of part: Part) -> Double {
    let weights = GroupingBelief.weights(of: part)
    return max(run + weights.run, word + weights.word, edit + weights.edit)
  }

  /// What it weighs that one of two steps is taken back which browsers take back at once.
  func weight(ofBond weight: Double) -> Double { max(run + weight, word, edit) }

  /// Adds that `part` was taken back.
  mutating func observe(_ part: Part) {
    let weights = GroupingBelief.weights(of: part)
    run += weights.run
    word += weights.word
    edit += weights.edit
    let best = max(run, word, edit)
    run = max(run - best, GroupingBelief.least)
    word = max(word - best, GroupingBelief.least)
    edit = max(edit - best, GroupingBelief.least)
  }

  /// Nothing is so unlikely that a few steps would not show it.
  private static let least = -12.0

  /// What it weighs that `part` goes at once where runs do, where words do, and where each edit does.
  private static func weights(of part: Part) -> (run: Double, word: Double, edit: Double) {
    let other = part.isRun ? Measured.undoWholeRun : Measured.undoPart
    return (part.isRun ? 0 : other, part.isWord ? 0 : other, part.isEdit ? 0 : other)
  }
}
