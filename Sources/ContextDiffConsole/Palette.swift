/// Marks parts of the output by colour (``coloured``, for a terminal) or leaves them as they are (``plain``).
package struct Palette: Sendable {
  /// What a part of the output is, which decides its colour.
  package enum Role: Sendable {
    /// Text without a mark.
    case plain
    /// The `|` of a caret, or of an end of a selection.
    case caret
    /// Selected text.
    case selection
    /// The sign for a field that is `nil`.
    case absent
    /// A heading, or the name of what follows.
    case heading
    /// A remark, or text that matters less.
    case quiet
    /// Text that was added.
    case added
    /// Text that was removed.
    case taken
    /// A certain reading.
    case certain
    /// A reading that is likely, and not certain.
    case likely
    /// What did not happen, or differs from what was predicted.
    case failure
  }

  /// Marks nothing.
  package static let plain = Palette(isColoured: false)
  /// Marks by SGR sequences, which set a terminal's colours (ECMA-48, 8.3.117).
  package static let coloured = Palette(isColoured: true)

  /// Whether this palette writes SGR sequences.
  private let isColoured: Bool

  /// `text` marked as `role`; an empty one stays empty.
  package func mark(_ text: some StringProtocol, as role: Role) -> String {
    guard isColoured, role != .plain, !text.isEmpty else { return String(text) }
    return "\u{1B}[\(role.parameters)m\(text)\u{1B}[0m"
  }

  /// A line shortened to `columns`, of which `⋯` takes the last where something is left out.
  ///
  /// SGR sequences take no column. A line that is shortened after one ends with the sequence that resets the colours.
  package static func fit(_ line: String, columns: Int) -> String {
    var shown = ""
    var taken = 0
    var kept = ""
    var rest = line[...]
    while let character = rest.first {
      if character == "\u{1B}" {
        // The sequence ends at a scalar: a mark behind it would be one character with its last letter.
        let last = rest.unicodeScalars.firstIndex(of: "m")
        let end = last.map(rest.unicodeScalars.index(after:)) ?? rest.endIndex
        shown += rest[..<end]
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      let width = character.columns
      if taken + width > columns {
        let isMarked = kept.contains("\u{1B}")
        return kept + "⋯" + (isMarked ? "\u{1B}[0m" : "")
      }
      shown.append(character)
      taken += width
      if taken < columns { kept = shown }
    }
    return shown
  }
}

extension Palette.Role {
  /// The parameters of the SGR sequence for this role: of the terminal's own 8 colours, which its theme sets.
  fileprivate var parameters: String {
    switch self {
    case .plain: "0"
    case .caret: "1;36"
    case .selection: "7"
    case .absent, .quiet: "2"
    case .heading: "1"
    case .added: "32"
    case .taken: "31"
    case .certain: "1;32"
    case .likely: "1;33"
    case .failure: "1;31"
    }
  }
}
