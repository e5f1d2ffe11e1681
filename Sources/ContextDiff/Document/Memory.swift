/// The document's text around the caret, as far as the session's snapshots prove it: a gap buffer, so that an edit at
/// the caret moves no other text.
struct Memory: Sendable {
  private var room = TextRoom(count: 0)
  /// The gap in `room`, which lies at the caret, or at the selection's left end.
  private var gapStart = 0
  private var gapEnd = 0
  /// The end of the text in `room`.
  private var end = 0
  /// The length of the selection, which begins at `gapEnd`.
  private(set) var selectedCount = 0
  private(set) var leftEdge = Edge.open
  private(set) var rightEdge = Edge.open
  /// The position of the first remembered byte: less by each byte learnt on the left, more by each forgotten there,
  /// so that positions of the same text stay the same.
  private(set) var origin = 0
  /// How many bytes are remembered at most.
  let limit: Int
  /// Whether the caret was put at one of several places that look the same; then nothing beyond the snapshot is relied
  /// on until a snapshot shows which place it was.
  private(set) var isDoubtful = false
  /// The position left of which the text may be other than remembered, because an edit may have been another one, and
  /// the weight of other text there, relative to the remembered text, in bits; `nil` where all of it is relied on.
  private(set) var seam: (position: Int, weight: Double)?
  /// Whether nothing was learnt yet, as before a session's first snapshot; an archive then holds nothing but this.
  private(set) var isEmpty = true
  /// Whether each scalar is one UTF-16 unit and no two form a grapheme cluster, so that one count measures a jump in
  /// all units; `nil` where this is not determined yet.
  private var isPlain: Bool?

  init(limit: Int) { self.limit = max(limit, 0) }

  /// A memory of `text`, with the caret or selection in it.
  init(
    limit: Int, text: [UInt8], caret: Int, selecting length: Int, origin: Int, leftEdge: Edge,
    rightEdge: Edge, isDoubtful: Bool, seam: (position: Int, weight: Double)?
  ) {
    self.init(limit: limit)
    rewrite(text, caret: caret, selecting: length)
    self.origin = origin
    self.leftEdge = leftEdge
    self.rightEdge = rightEdge
    self.isDoubtful = isDoubtful
    self.seam = seam
    isEmpty = false
    trim()
  }

  /// The position of the caret, or the selection's left end, on the scale of `origin`.
  var caret: Int { origin + gapStart }

  var count: Int { end - (gapEnd - gapStart) }

  /// Whether at most `limit` bytes are remembered.
  var isWithinLimit: Bool { count <= limit }

  /// The memory in use, in bytes.
  var heldBytes: Int { room.count }

  /// Whether the caret is on an empty last line once `left` bytes left of it are removed, as far as is known.
  @inline(__always) func isOnEmptyLastLine(without left: Int) -> Bool {
    left < gapStart && room[gapStart - left - 1] == .newline && end == gapEnd
      && (rightEdge == .document || rightEdge == .line)
  }

  /// Whether the document begins at the caret, as far as is known.
  var beginsAtCaret: Bool { gapStart == 0 && leftEdge == .document }
  /// Whether it ends there.
  var endsAtCaret: Bool { gapEnd == end && rightEdge == .document }

  /// Whether remembered text left of the caret is in doubt.
  var isSeamed: Bool { seam.map { $0.position > origin && $0.position <= caret } ?? false }

  /// Doubts the text more than `length` bytes left of the caret; `weight`, in bits, is that of other text there.
  mutating func doubt(beyond length: Int, weighing weight: Double) {
    let position = caret - length
    var weight = weight
    // The weight of an earlier seam counts only if that seam is nearer to the caret.
    if isSeamed, let seam, position <= seam.position { weight = max(weight, seam.weight) }
    seam = (position, weight)
  }

  /// Whether it reaches at least as far as `shown`, the latest snapshot, and can be relied on beyond.
  func isReliable(around shown: Fields) -> Bool { !isDoubtful && holds(shown) }

  /// Whether it reaches at least as far as `shown`, the latest snapshot; it does not where `shown` exceeds the limit.
  func holds(_ shown: Fields) -> Bool {
    gapStart >= shown.before.bytes.count && selectedCount >= shown.selected.bytes.count
      && end - gapEnd - selectedCount >= shown.after.bytes.count
  }

  /// The remembered text, of which `old` shows a part; valid until the memory is changed or released.
  @inline(__always) func known(around old: Fields) -> Known {
    Known(
      rememberedAround: old, left: left, selected: right.prefix(selectedCount),
      right: right.dropFirst(selectedCount), leftEdge: leftEdge, rightEdge: rightEdge,
      isPlain: isPlain ?? false)
  }

  /// Determines whether the text is plain, if it is long and this is not known yet.
  mutating func lookWhetherPlain() {
    if isPlain == nil, count >= Memory.leastCounted { isPlain = left.isPlain && right.isPlain }
  }

  /// The length, in bytes, below which counting the text is as fast as finding that it is plain.
  private static let leastCounted = 4_096

  /// The text left of the gap, and right of it.
  // Unsafe: whoever reads these is done with them before the memory is written to.
  private var left: Bytes { unsafe room.bytes.prefix(gapStart) }
  private var right: Bytes { unsafe room.bytes.prefix(end).dropFirst(gapEnd) }

  /// Replaces everything remembered by `known`.
  mutating func start(with known: Known) {
    let known = known.within(limit)
    let length = known.left.count + known.selected.count + known.right.count
    // A far larger room is given back.
    if room.count < length || room.count > 4 * length + 1_024 {
      room = TextRoom(count: length + 128)
    }
    origin = 0
    isEmpty = false
    isDoubtful = false
    seam = nil
    gapStart = known.left.count
    gapEnd = room.count - known.selected.count - known.right.count
    end = room.count
    room.write(known.left, at: 0)
    room.write(Joined(known.selected, known.right), at: gapEnd)
    selectedCount = known.selected.count
    leftEdge = known.leftEdge
    rightEdge = known.rightEdge
    isPlain = nil
    trim()
  }

  /// Replaces `left` bytes left of the caret, the selection if `removingSelection`, and `right` bytes right of it by
  /// `text`, behind which the caret is then.
  mutating func edit(
    removingLeft left: Int = 0, removingSelection: Bool = false, removingRight right: Int = 0,
    inserting text: Bytes
  ) {
    gapStart -= min(left, gapStart)
    if removingSelection { gapEnd += selectedCount }
    gapEnd += min(right, end - gapEnd)
    selectedCount = 0
    insertLeft(text)
  }

  /// Moves the caret to `position`, on the scale of `origin`, and selects `length` bytes from there.
  ///
  /// `isDoubtful` says that it may be another place, which looks the same.
  mutating func place(at position: Int, selecting length: Int, isDoubtful: Bool = false) {
    if isDoubtful { self.isDoubtful = true }
    moveGap(to: max(0, min(position - origin, count)))
    selectedCount = min(length, end - gapEnd)
  }

  /// Replaces the text by `text`, with the caret, or a selection of `length` bytes, in it.
  mutating func rewrite(_ text: [UInt8], caret: Int, selecting length: Int) {
    room = TextRoom(count: text.count)
    text.withBytes { room.write($0, at: 0) }
    isPlain = nil
    gapStart = caret
    gapEnd = caret
    end = text.count
    selectedCount = length
  }

  /// Makes `change`, then moves the caret to the offset `caret` and selects `length` bytes.
  mutating func make(_ change: TextChange, caret: Int, selecting length: Int) {
    place(at: origin + change.start, selecting: 0)
    change.inserted.withBytes { edit(removingRight: change.removed.count, inserting: $0) }
    place(at: origin + caret, selecting: length)
  }

  /// What `reconcile` did.
  enum Change {
    /// The memory contradicted the snapshot, and all but the snapshot's text is forgotten.
    case contradicted
    /// So many bytes were learnt at its ends.
    case grown(left: Int, right: Int)
  }

  /// Compares the memory with `known`, what the new snapshot alone shows: learns the text that `known` has beyond the
  /// memory or, where the two contradict each other, forgets all else; with `isProven` they are known to agree.
  mutating func reconcile(with known: Known, window: Window, isProven: Bool) -> Change {
    let known = known.within(limit)
    if !isProven, !agrees(with: known, window: window) {
      start(with: known)
      return .contradicted
    }
    forgetHidden(by: known, window: window)
    let left = gapStart
    if let seam, caret - known.left.count < seam.position {
      let seen = known.left.prefix(atMost: seam.position - caret + known.left.count)
      if KeptScalars.count(endOf: seen) >= Measured.doubtEnding { self.seam = nil }
    }
    if known.left.count > left {
      extend(left: known.left.dropLast(left), edge: known.leftEdge)
    } else if left == 0 {
      leftEdge = known.leftEdge
    }
    let right = end - gapEnd - selectedCount
    if known.right.count > right {
      extend(right: known.right.dropFirst(right), edge: known.rightEdge)
    } else if known.right.count == right, rightEdge != .document, known.rightEdge != .line {
      rightEdge = known.rightEdge
    }
    trim()
    return .grown(
      left: max(0, known.left.count - left), right: max(0, known.right.count - right))
  }

  /// Forgets remembered text that the window should show and does not: beside the caret, or, under `line`, up to the
  /// line's ends.
  ///
  /// At a line's start or end nothing need be shown beside the caret, but under `full`.
  ///
  /// The host may hide that text, or the caret is at another place.
  private mutating func forgetHidden(by known: Known, window: Window) {
    if window == .sentence { return }
    let right = gapEnd + selectedCount + known.right.count
    if window == .line || known.right.isEmpty, right < end,
      window == .full || room[right] != .newline
    {
      end = right
      rightEdge = known.rightEdge
    }
    let left = gapStart - known.left.count
    if window == .line || known.left.isEmpty, left > 0,
      window == .full || room[left - 1] != .newline
    {
      room.move(left..<gapStart, to: 0)
      origin += left
      gapStart -= left
      leftEdge = known.leftEdge
    }
  }

  /// Prepends `text`, beyond which `edge` lies.
  mutating func extend(left text: Bytes, edge: Edge) {
    let caret = gapStart
    moveGap(to: 0)
    insertLeft(text)
    moveGap(to: text.count + caret)
    origin -= text.count
    leftEdge = edge
  }

  /// Appends `text`, beyond which `edge` lies.
  mutating func extend(right text: Bytes, edge: Edge) {
    if room.count - end < text.count { makeRoom(inGap: gapEnd - gapStart, behind: text.count) }
    room.write(text, at: end)
    end += text.count
    if isPlain == true { isPlain = text.isPlain }
    rightEdge = edge
  }

  /// Whether memory and snapshot show the same text as far as both reach.
  private func agrees(with known: Known, window: Window) -> Bool {
    let selected = right.prefix(selectedCount)
    let right = right.dropFirst(selectedCount)
    let shorterLeft = min(left.count, known.left.count)
    let shorterRight = min(right.count, known.right.count)
    if selected != known.selected && !selected.isCutShort(to: known.selected) { return false }
    if window == .sentence && known.leftEdge == .document && !left.isEmpty { return false }
    if window == .sentence && known.rightEdge == .document && !right.isEmpty { return false }
    return left.suffix(shorterLeft) == known.left.suffix(shorterLeft)
      && right.prefix(shorterRight) == known.right.prefix(shorterRight)
  }

  /// Ends the doubt about the caret's place.
  mutating func settle() { isDoubtful = false }

  /// Beyond the limit, forgets the text farthest from the caret, down to three quarters of the limit.
  mutating func trim() {
    if isWithinLimit { return }
    let kept = limit / 4 * 3
    let rightKept = min(end - gapEnd, max(kept / 2, kept - gapStart))
    // The selection stays as far as the limit allows; text left of it gets what the selection leaves of the limit.
    let behind = max(rightKept, min(selectedCount, limit))
    let leftKept = min(gapStart, kept - rightKept, limit - behind)
    let last = right.scalarStart(atOrBefore: behind)
    if last < right.count {
      end = gapEnd + last
      selectedCount = min(selectedCount, last)
      rightEdge = .open
    }
    let first = left.scalarStart(atOrAfter: gapStart - leftKept)
    if first > 0 {
      room.move(first..<gapStart, to: 0)
      gapStart -= first
      origin += first
      leftEdge = .open
    }
    // Give the room of the rest back.
    makeRoom(inGap: 0)
  }
}

// MARK: - The gap

extension Memory {
  private mutating func insertLeft(_ text: Bytes) {
    if gapEnd - gapStart < text.count {
      // Room for typing: an eighth of the text, so that it seldom has to grow.
      makeRoom(inGap: text.count + max(128, count / 8))
    }
    room.write(text, at: gapStart)
    gapStart += text.count
    if isPlain == true { isPlain = text.isPlain }
  }

  /// Moves the text to a new room with `gap` bytes in the gap and `rest` bytes behind the text.
  private mutating func makeRoom(inGap gap: Int, behind rest: Int = 0) {
    var roomier = TextRoom(count: count + gap + rest)
    roomier.write(left, at: 0)
    roomier.write(right, at: gapStart + gap)
    room = roomier
    end = count + gap
    gapEnd = gapStart + gap
  }

  private mutating func moveGap(to start: Int) {
    if start < gapStart {
      room.move(start..<gapStart, to: gapEnd - (gapStart - start))
    } else {
      room.move(gapEnd..<gapEnd + (start - gapStart), to: gapStart)
    }
    gapEnd += start - gapStart
    gapStart = start
  }

  /// The remembered text without its gap.
  var text: [UInt8] { Joined(left, right).contiguous }
}
