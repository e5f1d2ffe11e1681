extension History {
  /// An edit to be recorded; positions as in `Step`.
  struct Entry {
    var position: Int
    var removed: Bytes
    var inserted: Bytes
    /// The caret, or the selection's left end, before the edit.
    var caret: Int
    /// The length of the selection before the edit, in bytes.
    var selected: Int
    /// Whether the next edit may be coalesced with it.
    var end = End.open
    /// Whether it may have been another edit, which leaves another text.
    var isDoubted = false
    /// Whether the document's last line is, or was, empty at the caret: browsers may begin a new step after the first
    /// edit there.
    var isOnEmptyLastLine = false

    /// Where the removed text ended.
    var removedEnd: Int { position + removed.count }
  }

  /// Records an edit, in a step of its own or in the last one, and forgets what could be redone.
  ///
  /// Edits that Chromium undoes together come in one step, or in steps bound firmly: typing, and erasing forward, with
  /// whatever edit came before at the caret; backspace with backspace alone; composed text with text typed before it,
  /// after which the step is closed.
  mutating func record(_ entry: Entry) {
    forgetUndone()
    if entry.selected > 0 {
      endRun()
      let isKey = entry.inserted.isEmpty || entry.inserted.isOneGrapheme
      append(
        entry, lastEditType: entry.inserted.isEmpty ? .erasedLeft : .typed,
        end: isKey ? entry.end : .closed)
    } else if entry.inserted.isEmpty {
      recordErasure(entry)
    } else if entry.removed.isEmpty {
      recordInsertion(entry)
    } else {
      recordExchange(entry)
    }
    guard let last = done.indices.last else { return }
    if entry.isOnEmptyLastLine, done[last].end == .open { done[last].end = .doubtful }
    if entry.isDoubted { done[last].isDoubted = true }
  }

  /// Records `entry` as a step of its own, bound to the last step by `bond`, or as that step allows.
  private mutating func append(
    _ entry: Entry, lastEditType: EditType, bond: Bond? = nil, composed: Int? = nil, end: End? = nil
  ) {
    let inserted = copy(of: entry.inserted)
    done.append(
      Step(
        position: entry.position, removed: Array(entry.removed), inserted: inserted,
        caret: entry.caret, selected: entry.selected, end: end ?? entry.end,
        bond: bond ?? self.bond, lastEditType: lastEditType,
        lastEditLength: entry.inserted.count - entry.removed.count, composed: composed))
    count(entry.removed.count + entry.inserted.count)
  }

  /// The bond of a new step to the last one; none if that one is closed.
  private var bond: Bond {
    guard let last = done.indices.last else { return .none }
    return switch done[last].end {
    case .open: .firm
    case .doubtful: .loose
    case .closed: .none
    }
  }

  private mutating func recordErasure(_ entry: Entry) {
    let isLeft = entry.removedEnd == entry.caret
    let lastEditType = isLeft ? EditType.erasedLeft : .erasedRight
    // Chromium may begin a new step after an erased newline.
    let end = entry.end == .open && entry.removed == .newline ? End.doubtful : entry.end
    guard let last = done.indices.last, entry.removed.isOneGrapheme,
      done[last].insertedEnd == entry.caret,
      !isLeft || done[last].lastEditType == .erasedLeft
    else {
      endRun()
      return append(entry, lastEditType: lastEditType, end: end)
    }
    guard done[last].inserted.isEmpty, done[last].selected == 0, done[last].end == .open,
      done[last].lastEditType == lastEditType
    else {
      return append(entry, lastEditType: lastEditType, end: end)
    }
    if isLeft {
      done[last].removed.insert(contentsOf: entry.removed, at: 0)
      done[last].position = entry.position
    } else {
      done[last].removed.append(contentsOf: entry.removed)
    }
    if entry.removed.first == .newline { done[last].end = .doubtful }
    done[last].lastEditLength = -entry.removed.count
    count(entry.removed.count)
  }

  private mutating func recordInsertion(_ entry: Entry) {
    let text = entry.inserted
    guard entry.end != .closed, text.isOneGrapheme else {
      endRun()
      return append(entry, lastEditType: .other, end: .closed)
    }
    guard let last = done.indices.last, done[last].insertedEnd == entry.position else {
      endRun()
      return append(entry, lastEditType: .typed)
    }
    guard done[last].lastEditType == .typed, done[last].end == .open else {
      return append(entry, lastEditType: .typed)
    }
    if done[last].composed != nil {
      // Text typed directly after composed text goes in a step of its own.
      guard text.isKana || text.isLetter || text.isHangul else {
        endRun()
        return append(entry, lastEditType: .typed)
      }
      if !done[last].hasPendingLetters { done[last].breaks.append(done[last].inserted.count) }
    }
    done[last].inserted.append(contentsOf: text)
    done[last].lastEditLength = text.count
    count(text.count)
  }

  private mutating func recordExchange(_ entry: Entry) {
    let converts = entry.removed.converts(to: entry.inserted)
    // A conversion ends what was being composed; letters, and a syllable of Hangul, go on.
    let goesOn = entry.removed.isASCII || entry.inserted.isHangul
    let end: End = converts && goesOn ? .open : .closed
    guard let last = done.indices.last, done[last].end == .open, done[last].lastEditType == .typed,
      done[last].insertedEnd == entry.removedEnd,
      entry.position >= done[last].position, converts
    else {
      // The end of the last step's text is converted now: Chromium selects that end when the step is redone.
      if converts, let last = done.indices.last, done[last].inserted.count >= entry.removed.count,
        done[last].insertedEnd == entry.removedEnd
      {
        done[last].endSelected = entry.removed.count
      }
      let bond = bond == .loose ? Bond.loose : .none
      endRun()
      return append(entry, lastEditType: .typed, bond: bond, composed: converts ? 0 : nil, end: end)
    }
    var run = last
    let offset = entry.position - done[run].position
    if let composed = done[run].composed, offset > composed, end == .closed {
      // The text before `offset` was composed by itself, or stays as it is.
      var rest = done[run].split(at: offset)
      rest.bond = .loose
      done.append(rest)
      run += 1
      done[run].composed = 0
    } else {
      done[run].composed = min(done[run].composed ?? offset, offset)
    }
    let start = entry.position - done[run].position
    done[run].inserted.removeLast(entry.removed.count)
    done[run].inserted.append(contentsOf: entry.inserted)
    done[run].breaks.removeAll { $0 > start }
    done[run].lastEditLength = entry.inserted.count - entry.removed.count
    done[run].end = end
    count(entry.inserted.count - entry.removed.count)
  }
}
