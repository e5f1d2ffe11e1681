/// A host's text with the two ends of its selection, in bytes, each on the boundary of a scalar.
struct ToldText: Equatable {
  /// Where the text begins and ends that is taken over.
  var start: Int
  var end: Int
  var caret: Int
  /// The selection's other end; the caret's place where nothing is selected.
  var anchor: Int
  /// Whether the two ends tell what is selected.
  var tellsSelection = true

  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
}

/// What a host told, as it came.
struct RawText {
  var text: Bytes
  var cursor: Int
  var anchor: Int
}
