/// A document with its caret, or with its selection's two ends: positions between scalars.
struct Field: Hashable {
  var text: [Unicode.Scalar]
  var start: Int
  var end: Int

  init(_ text: [Unicode.Scalar], _ start: Int, _ end: Int) {
    self.text = text
    self.start = start
    self.end = end
  }

  init(_ text: String, caret: Int) {
    self.init(Array(text.unicodeScalars), caret, caret)
  }

  var hasSelection: Bool { start < end }
  var selected: ArraySlice<Unicode.Scalar> { text[start..<end] }

  /// The field after `range` was exchanged for `put`, the caret behind that.
  func exchanging(_ range: Range<Int>, for put: [Unicode.Scalar]) -> Field {
    var text = self.text
    text.replaceSubrange(range, with: put)
    let caret = range.lowerBound + put.count
    return Field(text, caret, caret)
  }

  func selecting(_ start: Int, _ end: Int) -> Field { Field(text, start, end) }
}

/// The positions of `text` between which no grapheme cluster goes on, both ends included.
func graphemeBoundaries(_ text: [Unicode.Scalar]) -> [Int] {
  var positions = [0]
  var position = 0
  for character in String(text) {
    position += character.unicodeScalars.count
    positions.append(position)
  }
  return positions
}

extension String {
  init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
