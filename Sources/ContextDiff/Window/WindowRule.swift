/// How far a window reaches to one side of the caret.
enum SideRule {
  /// To the left the sentence just ended or under way, at a line's left edge one newline; to the right the
  /// rest of the sentence, or the one to come, and never a newline.
  case sentence
  /// The line up to the caret, or the rest of it; never a newline.
  case line
  /// All there is, or as much of it as the host likes.
  case all
}

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

  /// Whether the model says where exactly this window is cut.
  var isExact: Bool { self == .sentence }

  /// What the window shows left of a caret that `text` ends at, without a limit.
  func shownLeft(of text: Bytes, terminators: Terminators) -> Field {
    let shown =
      switch left {
      case .all: text
      case .line: text.dropFirst(text.lastLineStart)
      case .sentence where text.last == .newline: Bytes.newline
      case .sentence: text.dropFirst(sentenceStart(in: text, terminators: terminators))
      }
    return Field(shown, isShown: !shown.isEmpty)
  }

  /// What the window shows right of a caret that `text` begins at, without a limit.
  func shownRight(of text: Bytes, terminators: Terminators) -> Field {
    let shown =
      switch right {
      case .all: text
      case .line: text.prefix(text.lineEnd)
      case .sentence: text.prefix(sentenceEnd(in: text, terminators: terminators))
      }
    // A sentence that another line follows ends with an empty text.
    return Field(shown, isShown: !shown.isEmpty || right == .sentence && !text.isEmpty)
  }

  /// Where the sentence that `text` ends with, or in, begins.
  private func sentenceStart(in text: Bytes, terminators: Terminators) -> Int {
    var start = text.count
    var isBehindRun = true
    while start > 0 {
      let rest = text.prefix(start)
      let scalar = rest.lastScalar
      if scalar == 0x0A { break }
      let ends = terminators.contains(scalar)
      if ends && !isBehindRun { break }
      if !ends { isBehindRun = false }
      start &-= rest.lastScalarLength
    }
    return start
  }

  /// Where the sentence that `text` begins with, or in, ends.
  private func sentenceEnd(in text: Bytes, terminators: Terminators) -> Int {
    var end = 0
    var isInRun = false
    while end < text.count {
      let rest = text.dropFirst(end)
      let scalar = rest.firstScalar
      if scalar == 0x0A { break }
      let ends = terminators.contains(scalar)
      if !ends && isInRun { break }
      isInRun = ends
      end &+= rest.firstScalarLength
    }
    return end
  }
}

extension Fields {
  /// What a host shows of the caret's line, or of the selection's, where it may show a neighbour of that
  /// besides (HOSTS: GTK 3 the line below at a line's end, Firefox the one above at its start).
  var cutToLine: Fields {
    var cut = self
    let start = before.bytes.lastLineStart
    if start > 0 { cut.before = Field(before.bytes.dropFirst(start)) }
    let end = after.bytes.lineEnd
    if end < after.bytes.count { cut.after = Field(after.bytes.prefix(end)) }
    return cut
  }

  /// The part of it that the readings go by.
  @inline(__always) func read(by window: Window) -> Fields {
    // Where there is no text, an empty one stands for no line above or below.
    if hasText == false, isBlank {
      return Fields(
        before: .hidden, selected: .hidden, after: .hidden, hasText: false, caret: caret,
        selectionShown: selectionShown)
    }
    return window == .line ? cutToLine : self
  }

  /// Whether the readings go by all of it.
  @inline(__always) func isReadWhole(by window: Window) -> Bool {
    window != .line || !before.bytes.holdsLineBreak && !after.bytes.holdsLineBreak
  }
}

extension LentObservation {
  /// The window that was told; else `sentence`, or `full` where no sentence shows what is seen.
  ///
  /// The published list says the same by either.
  var likelyWindow: Window {
    evidence.window ?? (old.mayShowSentences && new.mayShowSentences ? .sentence : .full)
  }
}

extension Fields {
  /// Whether it holds line breaks, if any, as a sentence's window shows them.
  fileprivate var mayShowSentences: Bool {
    !after.bytes.holdsLineBreak && (!before.bytes.holdsLineBreak || before.bytes == .newline)
  }
}

extension Window {
  /// What a host with this window shows of `document`, the caret or selection reaching from scalar
  /// `from` to scalar `to` (MODEL, part 1).
  ///
  /// - Parameters:
  ///   - document: The whole text.
  ///   - from: Where the caret, or the selection's left end, stands, in scalars; brought into the
  ///     document where it is not in it.
  ///   - to: Where the selection's right end stands; equal to `from` for a caret.
  ///   - terminators: The scalars that end a sentence; of use to `sentence` alone.
  ///   - limit: How many scalars `before` and `after` hold at most; a negative one counts as 0.
  ///     `sentence` knows no limit, `paragraph` has one of 1,000 by default, `line` and `full` none.
  /// - Returns: The snapshot, `selected` being `nil` for a caret.
  /// - Complexity: Linear in the document's length.
  public func snapshot(
    of document: String, from: Int, to: Int, terminators: Terminators = .standard,
    limit: Int? = nil
  ) -> Snapshot {
    document.withBytes { text in
      let low = text.byteOffset(ofScalar: max(0, min(from, to)))
      let high = text.byteOffset(ofScalar: max(0, max(from, to)))
      var before = shownLeft(of: text.prefix(low), terminators: terminators)
      var after = shownRight(of: text.dropFirst(high), terminators: terminators)
      if let limit = limit ?? (self == .paragraph ? 1_000 : nil), self != .sentence {
        let limit = max(0, limit)
        let excess = before.bytes.scalarCount - limit
        if excess > 0 {
          before = Field(before.bytes.dropFirst(before.bytes.byteOffset(ofScalar: excess)))
        }
        if after.isShown {
          after = Field(after.bytes.prefix(after.bytes.byteOffset(ofScalar: limit)))
        }
      }
      let selected = text.dropFirst(low).prefix(high - low)
      return Snapshot(
        before: before.string, selected: selected.isEmpty ? nil : selected.string,
        after: after.string)
    }
  }
}
