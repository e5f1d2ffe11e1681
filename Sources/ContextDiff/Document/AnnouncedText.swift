/// What a host will show around its caret after an announced edit: up to `sideLimit` bytes on either side, as far as they
/// are known.
///
/// So the cost of an announcement depends on its edit, not on the length of the text.
struct AnnouncedText: Sendable, Equatable {
  /// How many bytes of each side are kept: more than any line's window, less than a document.
  static let sideLimit = 4_096

  /// The text on one side of the caret, or of the selection.
  struct Side: Sendable, Equatable {
    /// The `sideLimit` bytes next to the caret.
    var text: [UInt8]
    /// How many bytes this side has beyond `text`; a host that shows all of `text` shows these bytes, too.
    var beyond = 0
    /// How many bytes of `text` the host shows, next to the caret.
    var shown: Int
    /// Whether the edit deletes more on this side than was known, so that unseen text may come into view there.
    var isExceeded = false
    /// Where `isExceeded`, the far end of what the host showed before the edit: a host that still shows it there has
    /// not made the edit.
    var lost: [UInt8] = []

    /// How many bytes the host shows beyond the known text.
    var unknown: Int { shown == text.count ? beyond : 0 }
  }

  /// The text left of the caret.
  private(set) var left: Side
  /// The selected text; of more than twice `sideLimit` bytes, the first and the last `sideLimit`.
  private(set) var selected: [UInt8]
  /// The length of the selected text, in bytes.
  private(set) var selectedCount: Int
  /// The text right of the caret.
  private(set) var right: Side
  /// How far the edit moves the caret.
  private(set) var shift = Shift()
  /// Whether the edit moves the caret out of the known text.
  private(set) var leavesKnown = false
  /// Whether the edit deletes text that was not known, or moves the caret there.
  var leadsBeyondKnown: Bool { leavesKnown || left.isExceeded || right.isExceeded }
  /// Whether the host shows all the known text.
  var showsAll: Bool { left.shown == left.text.count && right.shown == right.text.count }
  /// Whether there is any text, shown or not.
  var holdsText: Bool { !left.text.isEmpty || selectedCount > 0 || !right.text.isEmpty }
  /// How many bytes at the text's beginning and end the edit leaves as they are; `nil` where it leaves all.
  private(set) var unchanged: Unchanged?

  /// Lengths of the text at its two ends, in bytes, `beyond` included.
  struct Unchanged: Sendable, Hashable {
    var left: Int
    var right: Int
  }

  /// A signed length of text in the units in which hosts place carets.
  struct Shift: Sendable, Hashable, Comparable {
    var scalars = 0
    var utf16 = 0

    static func < (left: Shift, right: Shift) -> Bool {
      (left.scalars, left.utf16) < (right.scalars, right.utf16)
    }

    static func + (left: Shift, right: Shift) -> Shift {
      Shift(scalars: left.scalars + right.scalars, utf16: left.utf16 + right.utf16)
    }
  }

  /// The memory in use, in bytes, besides its own in the array that holds it; what it shares with others included.
  var heldBytes: Int {
    left.text.heldBytes + left.lost.heldBytes + selected.heldBytes + right.text.heldBytes
      + right.lost.heldBytes
  }

  fileprivate static func end(of text: Bytes) -> [UInt8] {
    Array(text.lastScalars(within: sideLimit))
  }

  fileprivate static func start(of text: Bytes) -> [UInt8] {
    Array(text.firstScalars(within: sideLimit))
  }

  /// The first and the last `sideLimit` bytes of `text`, in whole scalars; all of it, if it is no longer than both.
  static func ends(of text: Bytes) -> [UInt8] {
    text.count <= 2 * sideLimit ? Array(text) : start(of: text) + end(of: text)
  }

  /// Lends `body` what the host shows of it, as far as that is known.
  func lend<Result>(to body: (Fields) -> Result) -> Result {
    left.text.withBytes { before in
      selected.withBytes { selected in
        right.text.withBytes { after in
          let before = before.suffix(left.shown)
          let after = after.prefix(right.shown)
          return body(
            Fields(
              before: Field(before, isShown: !before.isEmpty),
              selected: Field(selected, isShown: !selected.isEmpty),
              // A sentence's window shows "", not null, at a line's end with another line below.
              after: Field(after, isShown: !after.isEmpty || right.text.first == .newline)))
        }
      }
    }
  }

  /// Lends `body` all that is known of this but the far text that `end`, to which edits of this lead, no longer keeps.
  ///
  /// `nil` where the edits inserted so much that `end` keeps nothing of this.
  func lendAll<Result>(until end: AnnouncedText, to body: (Fields) -> Result) -> Result? {
    let goneLeft = end.left.beyond - left.beyond
    let goneRight = end.right.beyond - right.beyond
    guard (0...left.text.count).contains(goneLeft), (0...right.text.count).contains(goneRight)
    else { return nil }
    return lendAll { all in
      var all = all
      all.before = Field(all.before.bytes.dropFirst(goneLeft))
      all.after = Field(all.after.bytes.dropLast(goneRight))
      return body(all)
    }
  }

  /// Lends `body` all that is known of this.
  func lendAll<Result>(to body: (Fields) -> Result) -> Result {
    var all = self
    all.left.shown = left.text.count
    all.right.shown = right.text.count
    return all.lend(to: body)
  }
}

extension AnnouncedText.Side {
  /// Compares texts faster than `==` on arrays does.
  static func == (one: Self, other: Self) -> Bool {
    one.beyond == other.beyond && one.shown == other.shown && one.isExceeded == other.isExceeded
      && one.text.isSame(as: other.text) && one.lost.isSame(as: other.lost)
  }

  /// All of `text`, of which the host shows all, and `beyond` bytes more.
  fileprivate init(_ text: [UInt8], beyond: Int = 0) {
    self.init(text: text, beyond: beyond, shown: text.count)
  }

  /// Notes that the edit deletes more than is known, where the host showed `far` at the far end.
  fileprivate mutating func exceed(losing far: Bytes) {
    // Blanks stand at many a sentence's and line's beginning.
    if !isExceeded, beyond == 0 { lost = far.isWhitespace ? [] : Array(far) }
    isExceeded = true
  }

  /// Keeps of the text what `near` returns, all of which the host shows.
  fileprivate mutating func trim(to near: (Bytes) -> [UInt8]) {
    if text.count > AnnouncedText.sideLimit {
      let kept = text.withBytes(near)
      beyond += text.count - kept.count
      text = kept
    }
    shown = text.count
  }
}

extension AnnouncedText {
  /// The text that `fields` shows; with `isWhole` all of it, for an edit that may reach farther than `sideLimit`.
  init(_ fields: Fields, window: Window, isWhole: Bool = false) {
    let before = fields.before.bytes
    let after = fields.after.bytes
    let (near, next) =
      isWhole
      ? (Array(before), Array(after))
      : (AnnouncedText.end(of: before), AnnouncedText.start(of: after))
    left = Side(near, beyond: before.count - near.count)
    right = Side(next, beyond: after.count - next.count)
    selected = AnnouncedText.ends(of: fields.selected.bytes)
    selectedCount = fields.selected.bytes.count
    // At a line's end with another line below, a sentence's window shows an empty `after`, not null.
    if window == .sentence, fields.after.isShown, after.isEmpty, fields.hasText != false {
      right.text = [.newline]
    }
  }

  /// The text known around a caret.
  init(_ known: Known) {
    left = Side(AnnouncedText.end(of: known.left))
    right = Side(AnnouncedText.start(of: known.right))
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
  /// The rules are those of `Session.expect(old:edit:with:)`. `counted` keeps the lengths counted, for further texts
  /// that are the same on that side.
  func applying(_ edit: Edit, counted: UnitLengths.Counted) -> [AnnouncedText] {
    var texts = [selectionGone(by: edit)]
    var backward = edit.deleteBackward
    var forward = edit.deleteForward
    if selectedCount > 0, edit.unit == .graphemes || edit.unit == .backspace {
      if backward > 0 { backward -= 1 } else if forward > 0 { forward -= 1 }
    }
    if backward > 0 {
      texts.replaceEach { $0.deleting(backward, edit.unit, isBackward: true, counted) }
    }
    if forward > 0 {
      texts.replaceEach { $0.deleting(forward, edit.unit, isBackward: false, counted) }
    }
    if edit.changesText {
      for index in texts.indices {
        texts[index].unchanged = texts[index].aroundCaret
        edit.insert.withBytes { texts[index].insert($0) }
      }
    }
    if edit.moveCaret != 0 {
      texts.replaceEach { $0.moving(by: edit.moveCaret, edit.unit, counted) }
    }
    for index in texts.indices {
      texts[index].left.trim { AnnouncedText.end(of: $0) }
      texts[index].right.trim { AnnouncedText.start(of: $0) }
    }
    return texts
  }

  /// The text without the selection, which `edit` deletes, or which the caret leaves.
  private func selectionGone(by edit: Edit) -> AnnouncedText {
    var text = self
    text.shift = Shift()
    text.leavesKnown = false
    text.unchanged = nil
    if selectedCount == 0 { return text }
    text.selected = []
    text.selectedCount = 0
    if edit.changesText { return text }
    // The middle of a long selection is not kept, so that the text beyond it does not join the end next to the caret.
    let isWhole = selected.count == selectedCount
    if edit.moveCaret > 0 {
      text.left.text =
        isWhole ? left.text + selected : selected.withBytes { AnnouncedText.end(of: $0) }
      text.left.beyond += left.text.count + selectedCount - text.left.text.count
    } else {
      text.right.text =
        isWhole ? selected + right.text : selected.withBytes { AnnouncedText.start(of: $0) }
      text.right.beyond += selectedCount + right.text.count - text.right.text.count
    }
    return text
  }

  /// The texts after `count` units are deleted on one side of the caret.
  private func deleting(
    _ count: Int, _ unit: Edit.Unit, isBackward: Bool, _ counted: UnitLengths.Counted
  ) -> [AnnouncedText] {
    let (lengths, isBeyond) = counted.lengths(
      of: isBackward ? left.text : right.text, count, unit, isBackward: isBackward)
    return lengths.map { length in
      var text = self
      if isBackward {
        if isBeyond {
          left.text.withBytes { all in
            text.left.exceed(losing: all.suffix(left.shown).firstScalars(within: Self.lostLength))
          }
        }
        text.deleteLeft(length)
      } else {
        if isBeyond {
          right.text.withBytes { all in
            text.right.exceed(losing: all.prefix(right.shown).lastScalars(within: Self.lostLength))
          }
        }
        text.right.text.removeFirst(length)
      }
      return text
    }
  }

  /// The lengths of the text left and right of the caret: what an edit at the caret leaves as it is.
  private var aroundCaret: Unchanged {
    Unchanged(left: left.beyond + left.text.count, right: right.beyond + right.text.count)
  }

  /// This text, made of `text` by one more edit, with `unchanged` of that edit and those before it together.
  func following(_ text: AnnouncedText) -> AnnouncedText {
    guard let earlier = text.unchanged else { return self }
    var following = self
    following.unchanged = Unchanged(
      left: min(earlier.left, unchanged?.left ?? .max),
      right: min(earlier.right, unchanged?.right ?? .max))
    return following
  }

  /// Inserts text left of the caret.
  private mutating func insert(_ insert: Bytes) {
    left.text.append(contentsOf: insert)
    addToShift(insert, sign: 1)
  }

  /// The texts after the caret is moved by `count` units, to the left where that is negative.
  private func moving(
    by count: Int, _ unit: Edit.Unit, _ counted: UnitLengths.Counted
  ) -> [AnnouncedText] {
    let isBackward = count < 0
    let (lengths, isBeyond) = counted.lengths(
      of: isBackward ? left.text : right.text, Int(clamping: count.magnitude), unit,
      isBackward: isBackward)
    return lengths.map { length in
      var text = self
      text.leavesKnown = isBeyond
      if isBackward {
        text.deleteLeft(length)
        text.right.text = left.text.suffix(length) + right.text
      } else {
        text.right.text.removeFirst(length)
        right.text.withBytes { text.insert($0.prefix(length)) }
      }
      return text
    }
  }

  /// Deletes `length` bytes left of the caret.
  private mutating func deleteLeft(_ length: Int) {
    left.text.withBytes { addToShift($0.suffix(length), sign: -1) }
    left.text.removeLast(length)
  }

  /// How many bytes, in whole scalars, a side keeps in `lost` at most.
  private static let lostLength = 32

  /// Adds the length of `text` to `shift`, or subtracts it where `sign` is -1.
  private mutating func addToShift(_ text: Bytes, sign: Int) {
    let scalars = text.scalarCount
    shift.scalars += sign * scalars
    shift.utf16 += sign * (scalars + text.surrogateCount)
  }

  /// The same text, of which the host shows what `window` does.
  func cut(by window: Window, terminators: Terminators) -> AnnouncedText {
    var text = self
    text.left.shown = left.text.withBytes {
      window.shownLeft(of: $0, terminators: terminators).bytes.count
    }
    text.right.shown = right.text.withBytes {
      window.shownRight(of: $0, terminators: terminators).bytes.count
    }
    return text
  }

  /// Sets `shift` by the text left of both carets, for an edit announced by snapshots.
  mutating func measureShift(from start: Fields, to end: Fields) {
    let old = start.before.bytes
    let new = end.before.bytes
    let common = old.commonStart(new)
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
      for other in body(text) where !made.contains(other) {
        made.append(other)
      }
    }
    // Those that delete the least and the most stay: some host's rule leads to them.
    made.removeMiddle(beyond: AnnouncedText.alternatives)
    self = made
  }
}

extension Array {
  /// Removes as many elements from the middle as there are beyond `most`, an even number.
  mutating func removeMiddle(beyond most: Int) {
    if count > most { removeSubrange(most / 2..<count - most / 2) }
  }
}

extension [AnnouncedText] {
  /// The memory in use, in bytes, that of the texts included.
  var heldBytesWithTexts: Int { reduce(heldBytes) { $0 + $1.heldBytes } }
}
