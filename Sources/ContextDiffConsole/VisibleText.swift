/// Text that is safe to print on a terminal, with the number of columns that it takes.
///
/// Scalars that would move the cursor, start a control sequence, or reorder text, and those that nobody would see, are
/// replaced by visible ones.
package struct VisibleText: Sendable {
  /// The text to print.
  package private(set) var text = ""
  /// How many columns of a terminal `text` takes.
  package private(set) var columns = 0

  /// An empty text.
  package init() {}

  /// The visible form of `source`.
  package init(_ source: some StringProtocol) {
    for character in source { append(character) }
  }

  /// Adds the visible form of one character.
  ///
  /// A line feed becomes `⏎`, any other ASCII control its picture (U+2400 to U+2421). Other controls, line and paragraph
  /// separators, and what Unicode calls a directional control (`Bidi_Control`) or ignorable by default
  /// (`Default_Ignorable_Code_Point`: U+200B, U+00AD, U+FEFF) become `\u{…}`, unless they give a scalar beside them
  /// another look (`UnicodeScalarView.shapes`). A combining mark without a scalar to stand on is put on `◌`.
  package mutating func append(_ character: Character) {
    let scalars = character.unicodeScalars
    var shown = ""
    var hasBase = false
    for index in scalars.indices {
      let scalar = scalars[index]
      if let picture = scalar.picture, !scalars.shapes(at: index) {
        shown += picture
        hasBase = false
      } else {
        if !hasBase, scalar.isMark { shown += "◌" }
        shown.unicodeScalars.append(scalar)
        hasBase = true
      }
    }
    text += shown
    // Of the printed text, and not of `character`: a picture takes a column, a control none.
    for character in shown { columns += character.columns }
  }

  /// Adds another visible text.
  package mutating func append(_ other: VisibleText) {
    text += other.text
    columns += other.columns
  }

  /// Adds `mark` as it is: visible text that takes `columns`, perhaps with SGR sequences, which take none.
  package mutating func append(mark: String, columns: Int) {
    text += mark
    self.columns += columns
  }
}

extension Character {
  /// How many columns of a terminal the character takes.
  package var columns: Int {
    var width = 0
    for scalar in unicodeScalars {
      // Emoji presentation makes any base wide.
      if scalar.value == 0xFE0F { return 2 }
      // A half-width kana sound mark is a part of the character before it, and takes a column of its own.
      let isSoundMark = scalar.value == 0xFF9E || scalar.value == 0xFF9F
      width = isSoundMark ? width + 1 : max(width, scalar.columns)
    }
    return width
  }
}

extension Character.UnicodeScalarView {
  /// Whether the scalar at `index` of a character gives another one there another look: a variation selector right
  /// behind what it selects a form of, a zero width joiner between two, a tag in a flag.
  fileprivate func shapes(at index: Index) -> Bool {
    guard index > startIndex, let first else { return false }
    let before = self[self.index(before: index)].properties
    switch self[index].value {
    case 0x200D:
      return self[index...].dropFirst().first.map { $0.picture == nil && !$0.isMark } ?? false
    case 0xE0020...0xE007F: return first.value == 0x1F3F4
    default:
      return self[index].properties.isVariationSelector && !before.isDefaultIgnorableCodePoint
    }
  }
}

extension Unicode.Scalar {
  /// The visible text for a control, a separator or an invisible scalar; `nil` for any other scalar.
  fileprivate var picture: String? {
    switch value {
    case 0x0A: "⏎"
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value).map { String($0) }
    case 0x7F: "␡"
    case 0x20...0x7E: nil
    case 0x80...0x9F, 0x2028, 0x2029: escaped
    default:
      properties.isDefaultIgnorableCodePoint || properties.isBidiControl ? escaped : nil
    }
  }

  /// The scalar as Swift writes it in a string: `\u{200B}`.
  private var escaped: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }

  /// Whether the scalar is a combining mark, which a terminal draws on the scalar before it.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// How many columns the scalar takes by itself: 2 for a wide or fullwidth one (UAX #11, by blocks of scalars), 0 for
  /// a mark or a format control, else 1.
  fileprivate var columns: Int {
    switch value {
    case 0x20...0x7E: 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x3098, 0x309B...0x33FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F1E6...0x1F1FF,
      0x20000...0x3FFFD:
      2
    default:
      if properties.isEmojiPresentation {
        2
      } else if isMark || properties.generalCategory == .format {
        0
      } else {
        1
      }
    }
  }
}
