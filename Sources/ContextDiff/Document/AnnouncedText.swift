/// What a host will show around its caret after an announced edit: up to `reach` bytes on either side, as far as they
/// are known.
///
/// So the cost of an announcement depends on its edit, not on the length of the text.
struct AnnouncedText: Sendable, Equatable {
  /// How many bytes of each side are kept: more than any line's window, less than a document.
  static let reach = 4_096

  /// The last `reach` bytes left of the caret.
  private(set) var left: [UInt8]
  /// The selected text; of more than twice `reach` bytes, the first and the last `reach`.
  private(set) var selected: [UInt8]
  /// The first `reach` bytes right of the caret.
  private(set) var right: [UInt8]
  /// How many bytes are beyond `left` and `right`; the host shows them where it shows all of these.
  private(set) var beyondLeft = 0
  private(set) var beyondRight = 0
  /// The length of the selected text, in bytes.
  private(set) var selectedCount: Int
  /// How many bytes of `left` and of `right` the host shows, next to the caret.
  private(set) var shownLeft: Int
  private(set) var shownRight: Int
  /// Whether the edit deletes more on that side than was known, so that unseen text may come into view there.
  private(set) var reachesLeft = false
  private(set) var reachesRight = false
  /// The far end of the text that the host showed on such a side before: it is gone after the edit.
  private(set) var lostLeft: [UInt8] = []
  private(set) var lostRight: [UInt8] = []
  /// How far the edit moves the caret.
  private(set) var shift = Shift()

  /// A signed length of text in the units in which hosts place carets.
  struct Shift: Sendable, Hashable {
    var scalars = 0
    var utf16 = 0

    static func + (left: Shift, right: Shift) -> Shift {
      Shift(scalars: left.scalars + right.scalars, utf16: left.utf16 + right.utf16)
    }
  }

  var byteCount: Int { left.count + selected.count + right.count }

  /// Whether `other` is equal to this, faster than `==` on arrays.
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

  /// The first and the last `reach` bytes of `text`, in whole scalars; all of it, if it is no longer than both.
  static func ends(of text: Bytes) -> [UInt8] {
    text.count <= 2 * reach ? Array(text) : start(of: text) + end(of: text)
  }

  /// Lends `body` what the host shows of it, as far as that is known.
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

  /// Lends `body` all that is known of it, without what is beyond the reach of `end`, to which edits of this lead;
  /// `nil` where those inserted so much that nothing of this is within reach.
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

  /// Lends `body` all that is known of it.
  func lendAll<Result>(to body: (Fields) -> Result) -> Result {
    var all = self
    all.shownLeft = left.count
    all.shownRight = right.count
    return all.lend(to: body)
  }

  /// How many bytes the host shows beyond the known text.
  var unknownLeft: Int { shownLeft == left.count ? beyondLeft : 0 }
  var unknownRight: Int { shownRight == right.count ? beyondRight : 0 }
}

extension AnnouncedText {
  /// The text that `fields` shows; with `isWhole` all of it, for an edit that may count farther than `reach`.
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
    // MODEL's artefact: a shown but empty `after` is a line's end, with another line below.
    if window == .sentence, fields.after.isShown, after.isEmpty { right = [.newline] }
  }

  /// The text known around a caret.
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
  /// How many texts are kept at most for one edit: a press of a key may delete more or less, and the window may not be
  /// known.
  static let alternatives = 8

  /// The text after `edit`, not cut by a window; several where the edit is in presses of a key.
  ///
  /// The rules are those of `Session.expect(old:edit:with:)`. `counted` keeps the lengths counted, for the next text
  /// that is the same there.
  func applying(_ edit: Edit, counted: inout UnitLengths.Counted) -> [AnnouncedText] {
    var texts = [selectionGone(by: edit)]
    var backward = edit.deleteBackward
    var forward = edit.deleteForward
    if selectedCount > 0, edit.unit == .graphemes || edit.unit == .backspace {
      if backward > 0 { backward -= 1 } else if forward > 0 { forward -= 1 }
    }
    if backward > 0 {
      texts.replaceEach { $0.deleting(backward, edit.unit, isBackward: true, &counted) }
    }
    if forward > 0 {
      texts.replaceEach { $0.deleting(forward, edit.unit, isBackward: false, &counted) }
    }
    for index in texts.indices { texts[index].insert(edit.insert) }
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

  /// The text without the selection, which `edit` deletes, or which the caret leaves.
  private func selectionGone(by edit: Edit) -> AnnouncedText {
    var text = self
    text.shift = Shift()
    if selectedCount == 0 { return text }
    text.selected = []
    text.selectedCount = 0
    if edit.changesText { return text }
    // Of a long selection the middle is not kept, so that what was beyond it is no text next to the new caret.
    let isWhole = selected.count == selectedCount
    if edit.moveCaret > 0 {
      text.left = isWhole ? left + selected : selected.withBytes { AnnouncedText.end(of: $0) }
      text.beyondLeft += left.count + selectedCount - text.left.count
    } else {
      text.right = isWhole ? selected + right : selected.withBytes { AnnouncedText.start(of: $0) }
      text.beyondRight += selectedCount + right.count - text.right.count
    }
    return text
  }

  /// The texts after `count` units are deleted on one side of the caret.
  private func deleting(
    _ count: Int, _ unit: Edit.Unit, isBackward: Bool, _ counted: inout UnitLengths.Counted
  ) -> [AnnouncedText] {
    let (lengths, isBeyond) = counted.lengths(
      of: isBackward ? left : right, count, unit, isBackward: isBackward)
    return lengths.map { length in
      var text = self
      if isBeyond { isBackward ? text.reachLeft() : text.reachRight() }
      if isBackward { text.deleteLeft(length) } else { text.right.removeFirst(length) }
      return text
    }
  }

  /// Inserts text left of the caret.
  private mutating func insert(_ insert: String) {
    if insert.isEmpty { return }
    left.append(contentsOf: insert.utf8)
    insert.withBytes { addToShift($0, sign: 1) }
  }

  /// The texts after the caret is moved by `count` units, to the left where that is negative.
  private func moving(
    by count: Int, _ unit: Edit.Unit, _ counted: inout UnitLengths.Counted
  ) -> [AnnouncedText] {
    if count > 0 {
      return counted.lengths(of: right, count, unit, isBackward: false).lengths.map { length in
        var text = self
        text.right.removeFirst(length)
        text.left += right.prefix(length)
        right.withBytes { text.addToShift($0.prefix(length), sign: 1) }
        return text
      }
    }
    return counted.lengths(
      of: left, Int(clamping: count.magnitude), unit, isBackward: true
    ).lengths.map {
      var text = self
      text.deleteLeft($0)
      text.right = left.suffix($0) + text.right
      return text
    }
  }

  /// Deletes `length` bytes left of the caret.
  private mutating func deleteLeft(_ length: Int) {
    left.withBytes { addToShift($0.suffix(length), sign: -1) }
    left.removeLast(length)
  }

  /// The length of `lostLeft` and `lostRight`, in bytes.
  private static let lostLength = 32

  /// Notes that the edit deletes more on the left than is known; `reachRight` does the same on the right.
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

  /// Drops what is farther than `reach` from the caret.
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

  /// Adds the length of `text` to `shift`, or subtracts it where `sign` is -1.
  private mutating func addToShift(_ text: Bytes, sign: Int) {
    let scalars = text.scalarCount
    shift.scalars += sign * scalars
    shift.utf16 += sign * (scalars + text.surrogateCount)
  }

  /// The same text, of which the host shows what `window` does.
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
  /// Sets `shift` by the text left of both carets, for an edit announced by snapshots.
  mutating func measureShift(from start: Fields, to end: Fields) {
    let old = start.before.bytes
    let new = end.before.bytes
    let common = old.scalarStart(atOrBefore: old.commonPrefix(new))
    shift = Shift()
    addToShift(new.dropFirst(common), sign: 1)
    addToShift(old.dropFirst(common), sign: -1)
  }
}

extension [AnnouncedText] {
  /// Replaces each text by those that `body` returns for it, without repetitions, at most `alternatives` in all.
  mutating func replaceEach(by body: (AnnouncedText) -> [AnnouncedText]) {
    var made: [AnnouncedText] = []
    for text in self {
      for other in body(text) where !made.contains(where: { $0.isSame(as: other) }) {
        made.append(other)
      }
    }
    if made.count > AnnouncedText.alternatives {
      // Those that delete the least and the most stay, for they follow rules that hosts have.
      made.removeSubrange(
        AnnouncedText.alternatives / 2..<made.count - AnnouncedText.alternatives / 2)
    }
    self = made
  }
}
