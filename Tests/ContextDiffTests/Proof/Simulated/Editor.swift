import ContextDiff

/// A text field that keeps what was done in it: undo brings a selection back, redo leaves a caret.
struct Editor {
  /// What goes in one step of undo.
  enum Grouping: String, CaseIterable {
    /// A run of typing or of erasing: browsers.
    case run
    /// A word of what is typed, with the blanks behind it, or erased: editors of code, word processors.
    case word
    /// Each edit by itself: terminals, the fields of many frameworks.
    case edit
  }

  private struct Change {
    var before: Field
    var after: Field
    var did: Did
  }

  var grouping = Grouping.run
  /// Whether erasing or cutting a selection also takes one adjacent space ("smart delete").
  var takesSpaces = false
  private(set) var field: Field
  private(set) var pasteboard: [Unicode.Scalar]?
  private(set) var steps: [Step] = []
  private var done: [Change] = []
  private var undone: [Change] = []
  /// Whether the next of the same kind goes on with the run before it.
  private var runGoesOn = false

  init(_ field: Field) { self.field = field }

  var text: [Unicode.Scalar] { field.text }
  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  private mutating func note(_ did: Did, _ new: Field) {
    field = new
    steps.append(Step(did: did, field: new, pasteboard: pasteboard))
  }

  private mutating func change(_ did: Did, to new: Field, inRun: Bool = false) {
    if inRun, runGoesOn, let last = done.last, last.did == did, last.after == field,
      goesOn(with: new)
    {
      done[done.count - 1].after = new
    } else {
      done.append(Change(before: field, after: new, did: did))
    }
    undone = []
    runGoesOn = inRun
    note(did, new)
  }

  /// Whether a run that has come to the field as it is goes on with what leads to `new`.
  private func goesOn(with new: Field) -> Bool {
    switch grouping {
    case .run: return true
    case .edit: return false
    case .word:
      // What came, or what went.
      let longer = new.text.count > text.count ? new.text : text
      let place = min(field.start, new.start)
      guard place < longer.count, longer[place] != " " else { return true }
      return place > 0 && longer[place - 1] != " "
    }
  }

  mutating func move(to caret: Int) {
    guard field.hasSelection || caret != field.start else { return }
    runGoesOn = false
    note(.move, field.selecting(caret, caret))
  }

  mutating func select(_ start: Int, _ end: Int) {
    guard start < end, (start, end) != (field.start, field.end) else { return }
    runGoesOn = false
    note(.select, field.selecting(start, end))
  }

  mutating func type(_ put: [Unicode.Scalar], inRun: Bool = true) {
    change(.type, to: field.exchanging(field.start..<field.end, for: put), inRun: inRun)
  }

  /// Exchanges what is left of the caret, as a correction or a conversion does.
  mutating func convert(_ length: Int, to put: [Unicode.Scalar]) {
    change(.compose, to: field.exchanging(field.start - length..<field.start, for: put))
  }

  mutating func erase(_ range: Range<Int>, inRun: Bool = true) {
    guard !range.isEmpty else { return }
    change(.erase, to: field.exchanging(range, for: []), inRun: inRun)
  }

  /// Takes the selection, or one grapheme left of the caret.
  mutating func backspace() {
    if field.hasSelection { return erase(taken, inRun: false) }
    let reach = max(0, field.start - 16)
    let left = graphemeBoundaries(Array(text[reach..<field.start]))
    if left.count > 1 { erase(reach + left[left.count - 2]..<field.start) }
  }

  /// Takes the selection, or one grapheme right of the caret.
  mutating func forwardDelete() {
    if field.hasSelection { return backspace() }
    let right = graphemeBoundaries(Array(text[field.end...].prefix(16)))
    if right.count > 1 { erase(field.end..<field.end + right[1]) }
  }

  /// What goes with the selection.
  private var taken: Range<Int> {
    guard takesSpaces else { return field.start..<field.end }
    if field.start > 0, text[field.start - 1] == " " { return field.start - 1..<field.end }
    if field.end < text.count, text[field.end] == " " { return field.start..<field.end + 1 }
    return field.start..<field.end
  }

  mutating func copy() { pasteboard = Array(field.selected) }

  mutating func cut() {
    guard field.hasSelection else { return }
    copy()
    change(.cut, to: field.exchanging(taken, for: []))
  }

  mutating func paste() {
    guard let pasteboard, !pasteboard.isEmpty else { return }
    change(.paste, to: field.exchanging(field.start..<field.end, for: pasteboard))
  }

  mutating func undo() {
    guard let last = done.popLast() else { return }
    undone.append(last)
    runGoesOn = false
    note(.undo, last.before)
  }

  mutating func redo() {
    guard let last = undone.popLast() else { return }
    done.append(last)
    runGoesOn = false
    note(.redo, last.after)
  }

  mutating func submit() {
    guard !text.isEmpty else { return }
    done = []
    undone = []
    note(.submit, Field([], 0, 0))
  }
}
