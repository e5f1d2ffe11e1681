import ContextDiff

/// Somebody who edits a text at random: every deed anywhere, nothing for a reason.
struct Tinkerer {
  var editor: Editor
  private let source: [Unicode.Scalar]
  private var random: SeededGenerator
  private let undoes: Bool

  init(_ source: String, seed: UInt64, undoes: Bool = true) {
    self.source = Array(source.unicodeScalars)
    self.undoes = undoes
    editor = Editor(Field(self.source, 0, 0))
    random = SeededGenerator(seed: seed)
  }

  mutating func record(_ name: String, steps count: Int) -> Recording {
    let start = editor.field
    while editor.steps.count < count { act() }
    return Recording(name: name, start: start, steps: editor.steps)
  }

  /// Does one thing, or a few that belong together.
  mutating func act() {
    let length = editor.text.count
    if length < source.count / 2 { return editor.type(piece(5...40), inRun: false) }
    if length > source.count * 2 {
      let at = random.number(0...length - 80)
      editor.select(at, at + 80)
      return editor.backspace()
    }
    switch random.number(0...19) {
    case 0...4: for scalar in piece(1...8) { editor.type([scalar]) }
    case 5: editor.type(piece(2...9), inRun: false)
    case 6, 7: for _ in 0..<random.number(1...6) { editor.backspace() }
    case 8: for _ in 0..<random.number(1...3) { editor.forwardDelete() }
    case 9...11: editor.move(to: place())
    case 12, 13: nudge()
    case 14...17: useSelection()
    case 18: editor.paste()
    default:
      guard undoes else { return }
      for _ in 0..<random.number(1...3) { editor.undo() }
      if random.chance(0.5) { for _ in 0..<random.number(1...2) { editor.redo() } }
    }
  }

  private mutating func nudge() {
    let by = random.chance(0.5) ? 1 : -1
    for _ in 0..<random.number(1...8) {
      editor.move(to: min(editor.text.count, max(0, editor.field.start + by)))
    }
  }

  private mutating func useSelection() {
    let start = place()
    let end = min(editor.text.count, start + random.number(1...12))
    editor.select(start, end)
    guard editor.field.hasSelection else { return }
    switch random.number(0...7) {
    case 0: editor.cut()
    case 1: editor.copy()
    case 2: editor.backspace()
    case 3: editor.type(piece(1...4), inRun: false)
    case 4: editor.paste()
    case 5: editor.move(to: random.chance(0.5) ? start : end)
    case 6: editor.move(to: place())
    default: break
    }
  }

  private mutating func place() -> Int {
    let length = editor.text.count
    if random.chance(0.6) {
      return min(length, max(0, editor.field.start + random.number(-30...30)))
    }
    return random.number(0...length)
  }

  private mutating func piece(_ length: ClosedRange<Int>) -> [Unicode.Scalar] {
    let count = random.number(length)
    let start = random.number(0...source.count - count)
    return Array(source[start..<start + count])
  }
}
