/// How likely each thing is that a person may do, as binary logarithms of weights.
///
/// The weights are the model's own (part 4: move 4, select 3, cut 1, erase 3, type 6, paste 2,
/// submit ½), each spread evenly over its targets. What a reading leaves open, text typed or text
/// that comes into view, costs `scalar` for each scalar; so readings that differ in how much of
/// what was seen they predict can be weighed against each other.
enum Prior {
  /// What a scalar costs that a reading does not predict.
  static let scalar = -2.0
  /// Typing: 6, the character itself being paid for by `scalar`.
  static let typed = 2.585
  /// What a line break costs beyond another character: it is one key among many.
  static let lineBreak = -1.3
  /// A new line with the indentation of the one before: less than erasing one character, more than
  /// erasing all that follows the indentation.
  static let indented = -0.2
  /// What a new line has more behind a bracket that closes a block.
  static let closedBlock = 2.5
  /// What a new line costs besides where there are blanks alone.
  static let blankLine = -2.5
  /// Several characters at once, from a completion, dictation or an unknown pasteboard.
  static let phrase = 0.3
  /// What each of the first four scalars of such a text costs besides: a short one is likelier.
  static let phraseScalar = -0.7
  /// What it costs that such a text ends a sentence just where the one before may be seen instead.
  static let wholeSentence = -4.0
  /// What it costs that only the last sentence or line of such a text is seen.
  static let part = -4.2
  /// Backspace or forward delete: 3 over the two sides.
  static let erased = 0.585
  /// What erasing has more where the other side has nothing to erase.
  static let onlySide = 1.0
  /// What erasing has more where the last edit erased too.
  static let goingOn = 1.0
  /// A word or a line erased at once; the model's erasing is by characters.
  static let erasedRun = -2.0
  /// What it costs that whole lines go at once.
  static let erasedLines = -10.0
  /// Text left of the caret exchanged with nothing selected (autocorrection, conversion).
  static let exchanged = -4.0
  /// Letters that an input method makes kana of, or kana a word: there is little choice.
  static let converted = -3.0
  /// A paste of the known pasteboard: 2.
  static let pasted = 1.0
  /// A paste of which nothing but a new line or blanks is seen.
  static let pastedBreak = -2.0
  /// A paste of what may be on the pasteboard.
  static let clip = -1.0
  /// A selection taken away: 1 for a cut, and as much of erasing as falls on selections.
  static let cut = 2.0
  /// A selection erased where it counts under its own name.
  static let erasedSelection = 1.585
  /// One space more that goes, or comes.
  static let space = -3.0
  /// A field sent: ½.
  static let submitted = -0.2
  /// A caret set or moved: 4 over the places that a caret can have.
  static let moved = 2.1
  /// The share of the places next to the caret.
  static let nextPlace = -2.0
  /// A selection made: 3.
  static let selected = 1.585
  /// The host cut the text elsewhere.
  static let shifted = 1.0
  /// A cut that is not where the rule has it.
  static let recut = -6.0
  /// A side that shows nothing although it should.
  static let hidden = -8.0
  /// A tap from a document's end to that same end.
  static let anchored = -8.0
  /// What a reading costs that contradicts the session's memory where that is doubtful.
  static let doubted = -1.5
  /// What is so unlikely by the session's memory that the memory itself is in question.
  static let improbable = -12.0
  /// How far below the best reading another one counts as a coincidence: four scalars' worth.
  static let coincidence = 4 * scalar

  /// The share of one place among those that `length` bytes of text offer.
  static func place(among length: Int) -> Double {
    -Double(Int.bitWidth - (length + 1).leadingZeroBitCount)
  }
}
