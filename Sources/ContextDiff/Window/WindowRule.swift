extension Window {
  var left: SideRule {
    switch self {
    case .sentence: .sentence
    case .line: .line
    case .paragraph, .full: .all
    }
  }

  var right: SideRule {
    switch self {
    case .sentence: .sentence
    case .paragraph, .line: .line
    case .full: .all
    }
  }

  /// Whether the rule says exactly where the window is cut.
  var isExact: Bool { self == .sentence }

  /// Whether a selection is shown whole, whatever it holds; else it may reach beyond what is shown.
  var showsSelectionsWhole: Bool {
    switch self {
    case .sentence, .paragraph: true
    case .line, .full: false
    }
  }

  /// What the window shows as `before` where `text` is all that stands left of the caret; no limit applies.
  func shownLeft(of text: Bytes, terminators: Terminators) -> Field {
    let shown =
      switch left {
      case .all: text
      case .line: text.lastLine
      case .sentence where text.last == .newline: Bytes.newline
      case .sentence: text.dropFirst(sentenceStart(in: text, terminators: terminators))
      }
    return Field(shown, isShown: !shown.isEmpty)
  }

  /// What the window shows as `after` where `text` is all that stands right of the caret; no limit applies.
  func shownRight(of text: Bytes, terminators: Terminators) -> Field {
    let shown =
      switch right {
      case .all: text
      case .line: text.firstLine
      case .sentence: text.prefix(sentenceEnd(in: text, terminators: terminators))
      }
    // At a line's end `after` is "", not null, where there is a line below.
    return Field(shown, isShown: !shown.isEmpty || right == .sentence && !text.isEmpty)
  }

  /// The start of the sentence with which, or within which, `text` ends.
  private func sentenceStart(in text: Bytes, terminators: Terminators) -> Int {
    var start = text.count
    var isBehindRun = true
    while start > 0 {
      let rest = text.prefix(start)
      let scalar = rest.lastScalar
      if scalar == .newline { break }
      let ends = terminators.contains(scalar)
      if ends && !isBehindRun { break }
      if !ends { isBehindRun = false }
      start &-= rest.lastScalarLength
    }
    return start
  }

  /// The end of the sentence with which, or within which, `text` begins.
  private func sentenceEnd(in text: Bytes, terminators: Terminators) -> Int {
    var end = 0
    var isInRun = false
    while end < text.count {
      let rest = text.dropFirst(end)
      let scalar = rest.firstScalar
      if scalar == .newline { break }
      let ends = terminators.contains(scalar)
      if !ends && isInRun { break }
      isInRun = ends
      end &+= rest.firstScalarLength
    }
    return end
  }
}

extension Fields {
  /// The snapshot without neighbouring lines, which some hosts show besides the caret's: GTK 3 the line below
  /// at a line's end, Firefox the line above at a line's start.
  var cutToLine: Fields {
    var cut = self
    let start = before.bytes.lastLineStart
    if start > 0 { cut.before = Field(before.bytes.dropFirst(start)) }
    let end = after.bytes.lineEnd
    if end < after.bytes.count { cut.after = Field(after.bytes.prefix(end)) }
    return cut
  }

  /// The snapshot as the readings see it under `window`.
  @inline(__always) func seen(through window: Window) -> Fields {
    var seen = window == .line ? cutToLine : self
    // "" stands for null, and not for a line above or below, in a line's window, in a field that has no text, and on a
    // host that says "".
    if window == .line || hasText == false && isEmpty || window == .sentence && saysEmpty {
      if seen.before.isEmpty { seen.before = .hidden }
      if seen.selected.isEmpty { seen.selected = .hidden }
      if seen.after.isEmpty { seen.after = .hidden }
    }
    return seen
  }

  /// Whether no newline stands where `window` shows none: at the start of `after`, and under `line` anywhere.
  @inline(__always) func obeys(_ window: Window?) -> Bool {
    switch window {
    case nil, .full: true
    case .sentence, .paragraph: after.bytes.first != .newline
    case .line: isSeenWhole(through: .line)
    }
  }

  /// Whether `seen(through:)` cuts nothing off.
  @inline(__always) func isSeenWhole(through window: Window) -> Bool {
    window != .line || !before.bytes.holdsLineBreak && !after.bytes.holdsLineBreak
  }
}

extension LentObservation {
  /// The window given as evidence; else `sentence`, or `full` where a sentence's window cannot show the pair.
  ///
  /// The published list gives the same `basicKind` under both.
  var likelyWindow: Window {
    if let told = evidence.window { return told }
    let mayBeSentences =
      Window.sentence.mayShow(LineBreaks(of: old)) && Window.sentence.mayShow(LineBreaks(of: new))
    return mayBeSentences ? .sentence : .full
  }
}
