/// How parts of an output stand out: by colour on a terminal, not at all elsewhere.
package struct Palette: Sendable {
  /// What a part of an output is.
  package enum Role: Sendable {
    case plain
    case caret
    case selection
    case absent
    case heading
    case quiet
    case added
    case taken
    case certain
    case likely
    case failure
  }

  /// Writes text as it is.
  package static let plain = Palette(isColoured: false)
  /// Writes text between SGR sequences (ECMA-48, 8.3.117).
  package static let coloured = Palette(isColoured: true)

  /// Whether this palette writes SGR sequences.
  package let isColoured: Bool

  /// `text` marked as `role`.
  package func mark(_ text: some StringProtocol, as role: Role) -> String {
    guard isColoured, role != .plain, !text.isEmpty else { return String(text) }
    return "\u{1B}[\(role.parameters)m\(text)\u{1B}[0m"
  }

  /// A line cut to `columns`, with `⋯` in the last where it is longer; SGR sequences take no column,
  /// and one that is still in force is ended.
  package static func fit(_ line: String, columns: Int) -> String {
    var shown = ""
    var taken = 0
    var kept = ""
    var isInSequence = false
    for character in line {
      if isInSequence || character == "\u{1B}" {
        isInSequence = character != "m"
        shown.append(character)
        continue
      }
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
  /// The SGR parameters that set this role off; the terminal's own colours, so that its theme
  /// holds.
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
