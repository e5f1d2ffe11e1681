/// A host's report in byte offsets, each on a scalar's boundary, and repaired.
struct ToldText: Equatable {
  /// The start and end of the part of the host's text that becomes the snapshot.
  var start: Int
  var end: Int
  var caret: Int
  /// The selection's other end; the caret's place where nothing is selected.
  var anchor: Int
  /// Whether the two ends can be relied on for what is selected.
  var tellsSelection = true

  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
}
