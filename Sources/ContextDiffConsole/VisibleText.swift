/// Text that is safe to print on a terminal, with the number of columns that it takes.
///
/// Scalars that would move the cursor, start a control sequence, or reorder text are replaced by visible ones.
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
  /// A line feed becomes `⏎`, any other ASCII control its picture (U+2400 to U+2421). Other controls, directional
  /// controls, line and paragraph separators and U+FEFF become `\u{…}`. A combining mark that begins the character is
  /// put on `◌`.
  package mutating func append(_ character: Character) {
    guard !character.isPlain else {
      text.append(character)
      columns += character.columns
      return
    }
    var shown = ""
    for scalar in character.unicodeScalars {
      if let picture = scalar.picture {
        shown += picture
      } else {
        if shown.isEmpty, scalar.isMark { shown = "◌" }
        shown.unicodeScalars.append(scalar)
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
  /// Whether a terminal shows the character as it is.
  fileprivate var isPlain: Bool {
    var isFirst = true
    for scalar in unicodeScalars {
      if scalar.picture != nil || (isFirst && scalar.isMark) { return false }
      isFirst = false
    }
    return true
  }

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

extension Unicode.Scalar {
  /// The visible text for a control or a separator; `nil` for any other scalar.
  fileprivate var picture: String? {
    switch value {
    case 0x0A: "⏎"
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value).map { String($0) }
    case 0x7F: "␡"
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      "\\u{\(String(value, radix: 16, uppercase: true))}"
    default: nil
    }
  }

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
