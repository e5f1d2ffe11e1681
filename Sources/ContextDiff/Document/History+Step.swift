extension History {
  /// An undo step: at `position`, `removed` was exchanged for `inserted`.
  ///
  /// A *run* is a step of several edits that a host coalesces: typing, or erasing.
  struct Step: Sendable, Equatable {
    /// Where it begins, in bytes, on the scale of the memory's `origin`.
    var position: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// The caret, or the selection's left end, before the step, on the same scale.
    var caret: Int
    /// The length of the selection before the step, in bytes.
    var selected = 0
    /// Whether the next edit may be coalesced with it.
    var end: End
    /// Whether it is undone together with the step before it.
    var bond = Bond.none
    /// The type of its last edit.
    var lastEditType: EditType
    /// How many bytes its last edit inserted, less those that it removed.
    var lastEditLength: Int
    /// The offset in `inserted` at which composed text begins; `nil` where there is none.
    var composed: Int?
    /// The offsets in `inserted` at which another composition may have begun, for nothing shows that one ends.
    var breaks: [Int] = []
    /// Whether it was undone and redone as it is, so that its extent is certain.
    var isWhole = false
    /// Whether it may have been another edit, which leaves another text.
    var isDoubted = false
    /// How many bytes at the end of `inserted` are selected when it is redone.
    var endSelected = 0

    /// How many bytes the array of its text takes besides the text, about; most steps have one text.
    ///
    /// They are a header, and room that the text does not fill.
    static let besideText = 64

    /// Whether its last edit inserted one character.
    var wasTypedByCharacter: Bool {
      let start = inserted.count - lastEditLength
      return inserted.indices.contains(start)
        && inserted.withBytes { $0.dropFirst(start).isOneGrapheme }
    }

    /// How many bytes of text it holds.
    var count: Int { removed.count + inserted.count }

    /// Where the inserted text ends, on the same scale as `position`.
    @inline(__always) var insertedEnd: Int { position + inserted.count }
  }

  /// Whether the next edit may be coalesced with a step: yes, perhaps, no.
  enum End: UInt8, Sendable {
    case open, doubtful, closed
  }

  /// Whether a step is undone together with the one before it.
  enum Bond: UInt8, Sendable {
    /// No.
    case none
    /// Perhaps.
    case loose
    /// Yes, in browsers.
    case firm
  }

  /// What an edit did.
  enum EditType: UInt8, Sendable {
    case typed, erasedLeft, erasedRight, other
  }
}

extension History.Step {
  /// Cuts `inserted` at `offset`, and returns its end as a step of its own.
  mutating func split(at offset: Int) -> History.Step {
    var rest = History.Step(
      position: position + offset, removed: [], inserted: Array(inserted[offset...]),
      caret: position + offset, end: end, lastEditType: lastEditType, lastEditLength: lastEditLength
    )
    if let composed { rest.composed = max(0, composed - offset) }
    rest.breaks = breaks.filter { $0 > offset }.map { $0 - offset }
    rest.endSelected = min(endSelected, rest.inserted.count)
    endSelected = 0
    if let composed, composed >= offset { self.composed = nil }
    breaks.removeAll { $0 >= offset }
    inserted.removeLast(inserted.count - offset)
    end = .closed
    return rest
  }

  /// Cuts off the `length` bytes that an erasure took last, and returns them as a step of its own.
  mutating func split(erased length: Int) -> History.Step {
    let isRight = lastEditType == .erasedRight
    let rest = History.Step(
      position: position, removed: Array(isRight ? removed.suffix(length) : removed.prefix(length)),
      inserted: [], caret: position + (isRight ? 0 : length), end: .closed,
      lastEditType: lastEditType, lastEditLength: -length)
    if isRight {
      removed.removeLast(length)
    } else {
      removed.removeFirst(length)
      position += length
    }
    end = .closed
    return rest
  }

  /// Whether its composition, if it has one, ends with letters, which are still to become kana.
  var hasPendingLetters: Bool { inserted.last.map { $0 < 0x80 } ?? false }
}
