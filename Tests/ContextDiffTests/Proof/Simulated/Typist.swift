import ContextDiff

/// Somebody who types a text from its start to its end, errs, goes back, corrects and goes on.
struct Typist {
  /// How often, for each character typed, something else happens.
  struct Habits {
    var slip = 0.02
    var autocorrection = 0.004
    var wander = 0.015
    var selection = 0.006
    var undo = 0.002
    var block = 0.003
    /// Whether Enter puts in the next line's indentation too.
    var indents = false
  }

  var habits = Habits()
  var editor: Editor
  private let source: [Unicode.Scalar]
  private var place = 0
  private var random: SeededGenerator

  init(_ source: String, seed: UInt64, habits: Habits = Habits()) {
    self.source = Array(source.unicodeScalars)
    self.habits = habits
    editor = Editor(Field([], 0, 0))
    random = SeededGenerator(seed: seed)
  }

  /// Goes on until `count` steps are recorded.
  mutating func record(_ name: String, steps count: Int) -> Recording {
    let start = editor.field
    while editor.steps.count < count {
      typeOn()
      if random.chance(habits.slip) { slip() }
      if random.chance(habits.autocorrection) { correct() }
      if random.chance(habits.wander) { wander() }
      if random.chance(habits.selection) { useSelection() }
      if random.chance(habits.undo) { undo() }
      if random.chance(habits.block) { block() }
      if editor.text.count > 6000 { editor.submit() }
    }
    return Recording(name: name, start: start, steps: editor.steps)
  }

  private mutating func typeOn() {
    var put = [source[place]]
    place = (place + 1) % source.count
    if habits.indents, put == ["\n"] {
      while source[place] == " " {
        put.append(" ")
        place = (place + 1) % source.count
      }
    }
    editor.type(put, inRun: put.count == 1)
  }

  /// Text from elsewhere comes in at once, or a piece goes at once without having been selected.
  private mutating func block() {
    let length = random.number(2...160)
    if random.chance(0.5) {
      let start = random.number(0...source.count - length)
      editor.type(Array(source[start..<start + length]), inRun: false)
    } else {
      let end = editor.field.start
      editor.erase(max(0, end - length)..<end, inRun: false)
    }
  }

  private mutating func slip() {
    let wrong = random.number(1...3)
    for _ in 0..<wrong { editor.type([source[random.number(0...source.count - 1)]]) }
    for _ in 0..<wrong { editor.backspace() }
  }

  private mutating func correct() {
    let caret = editor.field.start
    let first = wordStart(caret)
    guard caret - first > 2 else { return }
    var word = Array(editor.text[first..<caret])
    word.swapAt(word.count - 1, word.count - 2)
    editor.convert(word.count, to: word)
  }

  private mutating func wander() {
    switch random.number(0...5) {
    case 0: for _ in 0..<random.number(1...8) { editor.move(to: max(0, editor.field.start - 1)) }
    case 1: for _ in 0..<random.number(1...3) { editor.move(to: wordStart(editor.field.start)) }
    case 2: editor.move(to: lineStart(editor.field.start))
    case 3:
      for _ in 0..<random.number(1...3) {
        let line = lineStart(editor.field.start)
        if line > 0 { editor.move(to: lineStart(line - 1)) }
      }
    default: editor.move(to: random.number(0...editor.text.count))
    }
    edit()
    if random.chance(0.8) { editor.move(to: editor.text.count) }
  }

  private mutating func edit() {
    switch random.number(0...4) {
    case 0: for _ in 0..<random.number(1...6) { editor.backspace() }
    case 1: for _ in 0..<random.number(1...3) { editor.forwardDelete() }
    case 2: for _ in 0..<random.number(1...8) { typeOn() }
    case 3: editor.paste()
    default: break
    }
  }

  private mutating func useSelection() {
    let end = random.number(0...editor.text.count)
    let start = random.chance(0.2) ? lineStart(end) : wordStart(end)
    editor.select(start, end)
    guard editor.field.hasSelection else { return }
    switch random.number(0...7) {
    case 0: editor.cut()
    case 1:
      editor.copy()
      editor.move(to: end)
    case 2: editor.backspace()
    case 3: typeOn()
    case 4: editor.paste()
    case 5: editor.select(start, min(editor.text.count, end + random.number(1...4)))
    default: editor.move(to: random.chance(0.5) ? start : end)
    }
    if random.chance(0.7) { editor.move(to: editor.text.count) }
  }

  private mutating func undo() {
    for _ in 0..<random.number(1...3) { editor.undo() }
    if random.chance(0.5) { for _ in 0..<random.number(1...3) { editor.redo() } }
    if random.chance(0.7) { editor.move(to: editor.text.count) }
  }

  private func wordStart(_ caret: Int) -> Int {
    var start = caret
    while start > 0, editor.text[start - 1] == " " || editor.text[start - 1] == "\n" { start -= 1 }
    while start > 0, editor.text[start - 1] != " ", editor.text[start - 1] != "\n" { start -= 1 }
    return start
  }

  private func lineStart(_ caret: Int) -> Int {
    (editor.text[..<caret].lastIndex(of: "\n") ?? -1) + 1
  }
}
