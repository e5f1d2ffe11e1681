package import ContextDiff

/// A model of a host's text field: its text, caret, selection, pasteboard and undo history.
///
/// Positions count grapheme clusters, since a key moves over or deletes one of these.
package struct EditableField: Sendable {
  /// What a person does in the field.
  package enum Act: Sendable, Equatable {
    /// Text comes from the keyboard or from an input method, all of it at once.
    case type(String)
    /// Text comes from the terminal's own pasteboard.
    case pasteFromOutside(String)
    /// The selection is deleted or, where there is none, the cluster left of the caret.
    case backspace
    /// The selection is deleted or, where there is none, the cluster right of the caret.
    case delete
    /// The caret moves; the selection is extended to it, or given up.
    case move(Motion, selecting: Bool)
    case selectAll
    case cut
    case copy
    case paste
    case undo
    case redo
  }

  /// Where the caret goes.
  package enum Motion: Sendable, Equatable {
    case left
    case right
    case up
    case down
    case lineStart
    case lineEnd
    case textStart
    case textEnd
  }

  /// What an undo brings back.
  private struct State: Equatable, Sendable {
    var text: [Character] = []
    var caret = 0
    /// The end of the selection that does not move; equal to `caret` where there is none.
    var anchor = 0

    var range: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  }

  private var state = State()
  /// The states that a redo brings back, the next one last.
  private var undone: [State] = []
  /// The states that an undo brings back, the next one last.
  private var done: [State] = []
  /// Whether the last act was typing: one undo takes back all that was typed in a row.
  private var isTyping = false

  /// The text that was last cut, copied or pasted from outside; `nil` before the first.
  package private(set) var pasteboard: String?

  /// An empty field.
  package init() {}

  /// The whole text.
  package var text: String { String(state.text) }
  /// The text's grapheme clusters.
  package var characters: [Character] { state.text }
  /// The position of the caret, or of the selection's end that moves.
  package var caret: Int { state.caret }
  /// The range of the selection; an empty one at the caret where nothing is selected.
  package var selection: Range<Int> { state.range }

  /// Does an act; one that is not possible, such as an undo before the first edit, changes nothing.
  ///
  /// - Returns: Whether the text, the caret or the selection changed; not so for a copy.
  @discardableResult
  package mutating func perform(_ act: Act) -> Bool {
    let before = state
    switch act {
    case .type(let text): exchange(state.range, for: text, typing: true)
    case .pasteFromOutside(let text):
      pasteboard = text
      exchange(state.range, for: text)
    case .backspace:
      exchange(state.range.isEmpty ? max(0, state.caret - 1)..<state.caret : state.range, for: "")
    case .delete:
      let end = min(state.text.count, state.caret + 1)
      exchange(state.range.isEmpty ? state.caret..<end : state.range, for: "")
    case .move(let motion, let selecting): move(motion, selecting: selecting)
    case .selectAll:
      isTyping = false
      state.anchor = 0
      state.caret = state.text.count
    case .copy: if !state.range.isEmpty { pasteboard = String(state.text[state.range]) }
    case .cut:
      guard !state.range.isEmpty else { return false }
      pasteboard = String(state.text[state.range])
      exchange(state.range, for: "")
    case .paste: exchange(state.range, for: pasteboard ?? "")
    case .undo: if let last = done.popLast() { restore(last, keepingCurrentIn: \.undone) }
    case .redo: if let next = undone.popLast() { restore(next, keepingCurrentIn: \.done) }
    }
    return state != before
  }

  /// The snapshot that a host with that window shows an input method.
  package func snapshot(through window: Window) -> Snapshot {
    let start = String(state.text[..<state.range.lowerBound]).unicodeScalars.count
    let selected = String(state.text[state.range]).unicodeScalars.count
    return window.snapshot(of: text, from: start, to: start + selected)
  }

  /// The positions of the grapheme clusters of which that snapshot holds any scalar.
  package func shown(through window: Window) -> Range<Int> {
    let snapshot = snapshot(through: window)
    var start = state.range.lowerBound
    var left = (snapshot.before ?? "").unicodeScalars.count
    while start > 0, left > 0 {
      start -= 1
      left -= state.text[start].unicodeScalars.count
    }
    var end = state.range.upperBound
    var right = (snapshot.after ?? "").unicodeScalars.count
    while end < state.text.count, right > 0 {
      right -= state.text[end].unicodeScalars.count
      end += 1
    }
    return start..<end
  }

  /// Replaces a range by `text`, puts the caret after it, and adds the state before to the history.
  ///
  /// Does nothing where both are empty. Typing that follows typing adds nothing to the history.
  private mutating func exchange(_ range: Range<Int>, for text: String, typing: Bool = false) {
    guard !range.isEmpty || !text.isEmpty else { return }
    if !(typing && isTyping && range.isEmpty) { done.append(state) }
    isTyping = typing
    undone = []
    // Counted after joining: `text` may begin with a scalar that belongs to the cluster before it.
    let head = String(state.text[..<range.lowerBound]) + text
    state.caret = head.count
    state.anchor = state.caret
    state.text = Array(head + String(state.text[range.upperBound...]))
    // The head's last cluster and the tail's first one may have become one cluster.
    state.caret = min(state.caret, state.text.count)
    state.anchor = state.caret
  }

  /// Goes to a state of the history, and adds the current one to the other list of states.
  private mutating func restore(
    _ other: State, keepingCurrentIn list: WritableKeyPath<Self, [State]>
  ) {
    isTyping = false
    self[keyPath: list].append(state)
    state = other
  }

  private mutating func move(_ motion: Motion, selecting: Bool) {
    isTyping = false
    let hadSelection = !state.range.isEmpty && !selecting
    switch motion {
    case .left: state.caret = hadSelection ? state.range.lowerBound : max(0, state.caret - 1)
    case .right:
      state.caret = hadSelection ? state.range.upperBound : min(state.text.count, state.caret + 1)
    case .up: state.caret = vertical(from: state.caret, to: -1)
    case .down: state.caret = vertical(from: state.caret, to: 1)
    case .lineStart: state.caret = lineStart(state.caret)
    case .lineEnd: state.caret = lineEnd(state.caret)
    case .textStart: state.caret = 0
    case .textEnd: state.caret = state.text.count
    }
    if !selecting { state.anchor = state.caret }
  }

  /// The position of the start of the line with that position.
  private func lineStart(_ place: Int) -> Int {
    state.text[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  }

  /// The position of the line feed that ends the line with that position, or of the text's end.
  private func lineEnd(_ place: Int) -> Int {
    state.text[place...].firstIndex(of: "\n") ?? state.text.count
  }

  /// The position in the same column of the line above (`direction` -1) or below (1), or that line's end where it is
  /// shorter; the text's start or end where there is no such line.
  private func vertical(from place: Int, to direction: Int) -> Int {
    let start = lineStart(place)
    let column = place - start
    if direction < 0 {
      guard start > 0 else { return 0 }
      let above = lineStart(start - 1)
      return min(above + column, start - 1)
    }
    let end = lineEnd(place)
    guard end < state.text.count else { return state.text.count }
    return min(end + 1 + column, lineEnd(end + 1))
  }
}

extension EditableField.Act {
  /// What the person did, as words after "you".
  package var words: String {
    switch self {
    case .type: "typed"
    case .pasteFromOutside, .paste: "pasted"
    case .backspace: "took away to the left"
    case .delete: "took away to the right"
    case .move(_, selecting: true), .selectAll: "selected"
    case .move(_, selecting: false): "moved the caret"
    case .cut: "cut"
    case .copy: "copied"
    case .undo: "undid"
    case .redo: "redid"
    }
  }
}
