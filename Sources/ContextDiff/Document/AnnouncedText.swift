/// What a host will show around its caret once an announced edit is made, as far as that is known: up
/// to `reach` bytes on either side.
///
/// However long the text is, an announcement costs no more than the edit and that much.
struct AnnouncedText: Sendable, Equatable {
  /// How much of each side is kept, in bytes: more than any window of a line, less than a document.
  static let reach = 4_096

  /// What is left of the caret, the last `reach` bytes of it.
  private(set) var left: [UInt8]
  /// What is selected; of more than twice `reach` bytes the two ends.
  private(set) var selected: [UInt8]
  /// What is right of the caret, the first `reach` bytes of it.
  private(set) var right: [UInt8]
  /// How many bytes the host shows beyond `left` and `right`, where it shows all of these.
  private(set) var beyondLeft = 0
  private(set) var beyondRight = 0
  private(set) var selectedCount: Int
  /// How much of `left` and of `right` the host shows.
  private(set) var shownLeft: Int
  private(set) var shownRight: Int
  /// Whether the edit took away all the text that was known on that side and more, so that other text
  /// may come into view there.
  private(set) var reachesLeft = false
  private(set) var reachesRight = false
  /// How the text at the far end of such a side began, or ended: it is gone then.
  private(set) var lostLeft: [UInt8] = []
  private(set) var lostRight: [UInt8] = []
  /// How far the edit moves the caret.
  private(set) var shift = Shift()

  /// A signed length of text in the units in which hosts place carets.
  struct Shift: Sendable, Equatable {
    var scalars = 0
    var utf16 = 0
  }

  var byteCount: Int { left.count + selected.count + right.count }

  /// Whether `other` is equal to this.
  func isSame(as other: AnnouncedText) -> Bool {
    guard left.isSame(as: other.left), selected.isSame(as: other.selected),
      right.isSame(as: other.right)
    else { return false }
    // All but the texts.
    var (one, other) = (self, other)
    (one.left, one.selected, one.right) = ([], [], [])
    (other.left, other.selected, other.right) = ([], [], [])
    return one == other
  }

  fileprivate static func end(of text: Bytes) -> [UInt8] {
    Array(text.dropFirst(text.scalarStart(atOrAfter: max(0, text.count - reach))))
  }

  fileprivate static func start(of text: Bytes) -> [UInt8] {
    Array(text.prefix(text.scalarStart(atOrBefore: min(text.count, reach))))
  }

  static func ends(of text: Bytes) -> [UInt8] {
    text.count <= 2 * reach ? Array(text) : start(of: text) + end(of: text)
  }

  /// What the host shows of it, lent to `body`; of a longer text what is known.
  func lend<Result>(to body: (Fields) -> Result) -> Result {
    left.withBytes { left in
      selected.withBytes { selected in
        right.withBytes { right in
          let before = left.suffix(shownLeft)
          let after = right.prefix(shownRight)
          return body(
            Fields(
              before: Field(before, isShown: !before.isEmpty),
              selected: Field(selected, isShown: !selected.isEmpty),
              after: Field(after, isShown: !after.isEmpty)))
        }
      }
    }
  }

  /// All that is known of it, lent to `body`, from where `end` begins to where that ends, which comes of
  /// this by edits; `nil` where those put in so much that nothing is left of this.
  func lendAll<Result>(until end: AnnouncedText, to body: (Fields) -> Result) -> Result? {
    let goneLeft = end.beyondLeft - beyondLeft
    let goneRight = end.beyondRight - beyondRight
    guard (0...left.count).contains(goneLeft), (0...right.count).contains(goneRight)
    else { return nil }
    return lendAll { all in
      var all = all
      all.before = Field(all.before.bytes.dropFirst(goneLeft))
      all.after = Field(all.after.bytes.dropLast(goneRight))
      return body(all)
    }
  }

  /// All that is known of it, lent to `body`.
  func lendAll<Result>(to body: (Fields) -> Result) -> Result {
    var all = self
    all.shownLeft = left.count
    all.shownRight = right.count
    return all.lend(to: body)
  }

  /// How many bytes of what the host shows lie beyond what is known of it.
  var unknownLeft: Int { shownLeft == left.count ? beyondLeft : 0 }
  var unknownRight: Int { shownRight == right.count ? beyondRight : 0 }
}

extension AnnouncedText {
  /// What `fields` shows, by a host of that window; all of it with `isWhole`, for an edit that counts
  /// in it.
  init(_ fields: Fields, window: Window, isWhole: Bool = false) {
    let before = fields.before.bytes
    let after = fields.after.bytes
    left = isWhole ? Array(before) : AnnouncedText.end(of: before)
    right = isWhole ? Array(after) : AnnouncedText.start(of: after)
    beyondLeft = before.count - left.count
    beyondRight = after.count - right.count
    shownLeft = left.count
    shownRight = right.count
    selected = AnnouncedText.ends(of: fields.selected.bytes)
    selectedCount = fields.selected.bytes.count
    // The model's artefact: the line ends, and there is another below.
    if window == .sentence, fields.after.isShown, after.isEmpty { right = [.newline] }
  }

  /// What is remembered around a caret.
  init(_ known: Known) {
    left = AnnouncedText.end(of: known.left)
    right = AnnouncedText.start(of: known.right)
    shownLeft = left.count
    shownRight = right.count
    selected = AnnouncedText.ends(of: known.selected)
    selectedCount = known.selected.count
  }
}

// MARK: - Editing

extension AnnouncedText {
  /// How many texts an edit may lead to, where it is the host's what a press of a key takes, or not
  /// known how it cuts its text.
  static let alternatives = 8

  /// What `edit` makes of it, as yet uncut; more than one text where `edit` is in presses of a key.
  ///
  /// The rules are those of `Session.expect(old:edit:with:)`. What is counted in a text is kept in
  /// `counted`, for the next one that is the same there.
  func making(_ edit: Edit, counted: inout UnitLengths.Counted) -> [AnnouncedText] {
    var texts = [selectionGone(by: edit)]
    var backward = edit.deleteBackward
    var forward = edit.deleteForward
    if selectedCount > 0, edit.unit == .graphemes || edit.unit == .backspace {
      if backward > 0 { backward -= 1 } else if forward > 0 { forward -= 1 }
    }
    if backward > 0 {
      texts.replaceEach { $0.taking(backward, edit.unit, isBackward: true, &counted) }
    }
    if forward > 0 {
      texts.replaceEach { $0.taking(forward, edit.unit, isBackward: false, &counted) }
    }
    for index in texts.indices { texts[index].put(edit.insert) }
    if edit.moveCaret != 0 {
      texts.replaceEach { $0.moving(by: edit.moveCaret, edit.unit, &counted) }
    }
    for index in texts.indices {
      texts[index].trim()
      texts[index].shownLeft = texts[index].left.count
      texts[index].shownRight = texts[index].right.count
    }
    return texts
  }

  /// What remains once the selection went, or the caret left it.
  private func selectionGone(by edit: Edit) -> AnnouncedText {
    var text = self
    text.shift = Shift()
    if selectedCount == 0 { return text }
    text.selected = []
    text.selectedCount = 0
    if edit.changesText { return text }
    if edit.moveCaret > 0 { text.left += selected } else { text.right = selected + text.right }
    return text
  }

  private func taking(
    _ count: Int, _ unit: Edit.Unit, isBackward: Bool, _ counted: inout UnitLengths.Counted
  ) -> [AnnouncedText] {
    let (lengths, isBeyond) = counted.lengths(
      of: isBackward ? left : right, count, unit, isBackward: isBackward)
    return lengths.map { length in
      var text = self
      if isBeyond { isBackward ? text.reachLeft() : text.reachRight() }
      if isBackward { text.dropLeft(length) } else { text.right.removeFirst(length) }
      return text
    }
  }

  private mutating func put(_ insert: String) {
    if insert.isEmpty { return }
    left.append(contentsOf: insert.utf8)
    insert.withBytes { note($0, sign: 1) }
  }

  private func moving(
    by count: Int, _ unit: Edit.Unit, _ counted: inout UnitLengths.Counted
  ) -> [AnnouncedText] {
    if count > 0 {
      return counted.lengths(of: right, count, unit, isBackward: false).lengths.map { length in
        var text = self
        text.right.removeFirst(length)
        text.left += right.prefix(length)
        right.withBytes { text.note($0.prefix(length), sign: 1) }
        return text
      }
    }
    return counted.lengths(
      of: left, Int(clamping: count.magnitude), unit, isBackward: true
    ).lengths.map {
      var text = self
      text.dropLeft($0)
      text.right = left.suffix($0) + text.right
      return text
    }
  }

  private mutating func dropLeft(_ length: Int) {
    left.withBytes { note($0.suffix(length), sign: -1) }
    left.removeLast(length)
  }

  private static let lostLength = 32

  private mutating func reachLeft() {
    if !reachesLeft, beyondLeft == 0 {
      lostLeft = Array(left.suffix(shownLeft).prefix(Self.lostLength))
    }
    reachesLeft = true
  }

  private mutating func reachRight() {
    if !reachesRight, beyondRight == 0 {
      lostRight = Array(right.prefix(shownRight).suffix(Self.lostLength))
    }
    reachesRight = true
  }

  /// Lets go of what is too far from the caret.
  mutating func trim() {
    if left.count > AnnouncedText.reach {
      let kept = left.withBytes { AnnouncedText.end(of: $0) }
      beyondLeft += left.count - kept.count
      shownLeft = min(shownLeft, kept.count)
      left = kept
    }
    if right.count > AnnouncedText.reach {
      let kept = right.withBytes { AnnouncedText.start(of: $0) }
      beyondRight += right.count - kept.count
      shownRight = min(shownRight, kept.count)
      right = kept
    }
  }

  private mutating func note(_ text: Bytes, sign: Int) {
    let scalars = text.scalarCount
    shift.scalars += sign * scalars
    shift.utf16 += sign * (scalars + text.surrogateCount)
  }

  /// The same, of which the host shows what its window's rule says.
  func cut(by window: Window, terminators: Terminators) -> AnnouncedText {
    var text = self
    text.shownLeft = left.withBytes {
      window.shownLeft(of: $0, terminators: terminators).bytes.count
    }
    text.shownRight = right.withBytes {
      window.shownRight(of: $0, terminators: terminators).bytes.count
    }
    return text
  }
}

extension AnnouncedText {
  /// How far the caret goes from `start` to this, told by the text left of both; for what is announced
  /// by snapshots.
  mutating func measureShift(from start: Fields, to end: Fields) {
    let old = start.before.bytes
    let new = end.before.bytes
    let common = old.scalarStart(atOrBefore: old.commonPrefix(new))
    shift = Shift()
    note(new.dropFirst(common), sign: 1)
    note(old.dropFirst(common), sign: -1)
  }
}

extension [AnnouncedText] {
  /// Puts what `body` makes of each text in its place: each text once, and no more than there may be.
  mutating func replaceEach(by body: (AnnouncedText) -> [AnnouncedText]) {
    var made: [AnnouncedText] = []
    for text in self {
      for other in body(text) where !made.contains(where: { $0.isSame(as: other) }) {
        made.append(other)
      }
    }
    if made.count > AnnouncedText.alternatives {
      // What takes the least and what takes the most are rules that hosts have.
      made.removeSubrange(
        AnnouncedText.alternatives / 2..<made.count - AnnouncedText.alternatives / 2)
    }
    self = made
  }
}
