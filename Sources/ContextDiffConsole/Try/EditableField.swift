package import ContextDiff

/// A text field with a caret, a selection, a pasteboard and a history, as a host has one.
///
/// Positions count grapheme clusters, because a person's keys do.
package struct EditableField: Sendable {
  /// What a person does in it.
  package enum Act: Sendable, Equatable {
    /// Text comes from the keyboard or from an input method, all of it at once.
    case type(String)
    /// Text comes from the terminal's own pasteboard.
    case pasteFromOutside(String)
    case backspace
    case delete
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

  private struct State: Equatable, Sendable {
    var text: [Character] = []
    var caret = 0
    /// Where the selection began; equal to `caret` where there is none.
    var anchor = 0

    var range: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  }

  private var state = State()
  private var undone: [State] = []
  private var done: [State] = []
  /// Whether the last act was typing, which one undo takes back together.
  private var isTyping = false

  /// What was last cut or copied; `nil` where nothing was.
  package private(set) var pasteboard: String?

  /// An empty field.
  package init() {}

  /// The whole text.
  package var text: String { String(state.text) }
  /// Its grapheme clusters.
  package var characters: [Character] { state.text }
  /// The caret, or the end of the selection that moves.
  package var caret: Int { state.caret }
  /// What is selected; empty at the caret where nothing is.
  package var selection: Range<Int> { state.range }

  /// Does what the person does.
  ///
  /// - Returns: Whether anything changed, be it the caret alone.
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
    case .undo: if let last = done.popLast() { step(to: last, leaving: \.undone) }
    case .redo: if let next = undone.popLast() { step(to: next, leaving: \.done) }
    }
    return state != before
  }

  /// What a host with that window shows of it.
  package func snapshot(through window: Window) -> Snapshot {
    let start = String(state.text[..<state.range.lowerBound]).unicodeScalars.count
    let selected = String(state.text[state.range]).unicodeScalars.count
    return window.snapshot(of: text, from: start, to: start + selected)
  }

  /// The grapheme clusters that such a host shows any of.
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

  private mutating func exchange(_ range: Range<Int>, for text: String, typing: Bool = false) {
    guard !range.isEmpty || !text.isEmpty else { return }
    if !(typing && isTyping && range.isEmpty) { done.append(state) }
    isTyping = typing
    undone = []
    // Put together as text: what comes may join the cluster before it.
    let head = String(state.text[..<range.lowerBound]) + text
    state.caret = head.count
    state.anchor = state.caret
    state.text = Array(head + String(state.text[range.upperBound...]))
    // The last cluster of the head may have joined the first of the tail.
    state.caret = min(state.caret, state.text.count)
    state.anchor = state.caret
  }

  private mutating func step(to next: State, leaving trace: WritableKeyPath<Self, [State]>) {
    isTyping = false
    self[keyPath: trace].append(state)
    state = next
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

  private func lineStart(_ place: Int) -> Int {
    state.text[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  }

  private func lineEnd(_ place: Int) -> Int {
    state.text[place...].firstIndex(of: "\n") ?? state.text.count
  }

  /// The place above or below; the text's start or end where there is no such line.
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
  /// What the person did, in a word or two.
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
