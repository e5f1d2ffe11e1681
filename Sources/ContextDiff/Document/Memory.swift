/// The text of a document that a session's snapshots prove: one stretch around the caret, as a gap
/// buffer, so that an edit at the caret moves nothing.
struct Memory: Sendable {
  private var room = TextRoom(count: 0)
  /// The gap lies left of the caret, or of the selection's left end.
  private var gapStart = 0
  private var gapEnd = 0
  /// Where the text ends.
  private var end = 0
  /// How long the selection is that begins behind the gap.
  private(set) var selectedCount = 0
  private(set) var leftEdge = Edge.open
  private(set) var rightEdge = Edge.open
  /// Where the first remembered byte lies, counted from where the memory began: text that comes to
  /// be known on the left makes it less, text that is forgotten there makes it more.
  private(set) var origin = 0
  let limit: Int
  /// Whether the caret was put at one of several places that look alike; then nothing beyond the
  /// snapshot is relied on until one shows which it was.
  private(set) var isDoubtful = false
  /// Where the text begins, on the scale of `origin`, that was seen since an edit that may have
  /// been another; `nil` where all of it may be relied on.
  private(set) var seam: Int?
  /// How likely it is that the text next beyond the seam is another, as a binary logarithm beside what is
  /// remembered.
  private(set) var seamWeight = 0.0
  private(set) var isEmpty = true
  /// Whether each scalar takes one UTF-16 unit, and no two form a grapheme cluster, so that how far a jump
  /// goes is one count; `nil` where that was not asked yet.
  private var isPlain: Bool?

  init(limit: Int) { self.limit = max(limit, 0) }

  /// A memory of `text` with the caret in it.
  init(
    limit: Int, text: [UInt8], caret: Int, selecting length: Int, origin: Int, leftEdge: Edge,
    rightEdge: Edge, isDoubtful: Bool, seam: (start: Int, weight: Double)?
  ) {
    self.init(limit: limit)
    rewrite(text, caret: caret, selecting: length)
    self.origin = origin
    self.leftEdge = leftEdge
    self.rightEdge = rightEdge
    self.isDoubtful = isDoubtful
    if let seam { (self.seam, seamWeight) = seam }
    isEmpty = false
    trim()
  }

  /// Where the caret, or the selection's left end, stands, on the scale of `origin`.
  var caret: Int { origin + gapStart }

  /// Whether it may be relied on beyond the snapshot.
  var isReliable: Bool { !isEmpty && !isDoubtful }

  var count: Int { end - (gapEnd - gapStart) }

  /// How much room it takes, in bytes.
  var roomBytes: Int { room.count }

  /// Whether the text may end with an empty line, where the caret is, once `left` bytes left of it
  /// are gone.
  @inline(__always) func isOnEmptyLastLine(without left: Int) -> Bool {
    left < gapStart && room[gapStart - left - 1] == .newline && end == gapEnd
      && (rightEdge == .document || rightEdge == .line)
  }

  /// Whether the text left of the caret is in doubt from somewhere on.
  var isSeamed: Bool { seam.map { $0 > origin && $0 <= caret } ?? false }

  /// Doubts what lies more than `length` bytes left of the caret; that it is another text weighs
  /// `weight`.
  mutating func doubt(beyond length: Int, weighing weight: Double) {
    let start = caret - length
    // What is nearer than an earlier seam is in doubt by this alone.
    let isBeyond = isSeamed && start <= seam ?? start
    seamWeight = isBeyond ? max(seamWeight, weight) : weight
    seam = start
  }

  /// Whether it reaches as far as `shown`, the snapshot that it was last brought up to: of a text
  /// beyond the limit less is kept than is shown.
  func holds(_ shown: Fields) -> Bool {
    gapStart >= shown.before.bytes.count && selectedCount >= shown.selected.bytes.count
      && end - gapEnd - selectedCount >= shown.after.bytes.count
  }

  /// The known text, of which `old` shows a part; valid until the memory is changed or let go.
  @inline(__always) func known(around old: Fields) -> Known {
    Known(
      rememberedAround: old, left: left, selected: right.prefix(selectedCount),
      right: right.dropFirst(selectedCount), leftEdge: leftEdge, rightEdge: rightEdge,
      isPlain: isPlain ?? false)
  }

  /// Looks whether the text is plain, where it is long enough for that to matter and nobody has looked.
  mutating func lookWhetherPlain() {
    if isPlain == nil, count >= Memory.longText { isPlain = left.isPlain && right.isPlain }
  }

  /// What is shorter is counted as soon as it is looked at, in bytes.
  private static let longText = 4_096

  /// What is left of the gap, and what is right of it.
  // Unsafe: who reads the memory is done with it before it is written to.
  private var left: Bytes { unsafe room.bytes.prefix(gapStart) }
  private var right: Bytes { unsafe room.bytes.prefix(end).dropFirst(gapEnd) }

  /// Forgets everything, and learns what `known` holds.
  mutating func start(with known: Known) {
    let known = known.within(limit)
    let length = known.left.count + known.selected.count + known.right.count
    // A text that was far longer leaves no room.
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

  /// Takes `left` bytes left of the caret, the selection if it is to go, and `right` bytes right
  /// of it away, and puts `text` in their place.
  mutating func edit(
    removingLeft left: Int, removingSelection: Bool, removingRight right: Int, inserting text: Bytes
  ) {
    gapStart -= min(left, gapStart)
    if removingSelection {
      gapEnd += selectedCount
    }
    gapEnd += min(right, end - gapEnd)
    selectedCount = 0
    insertLeft(text)
  }

  /// Puts the caret at `position`, on the scale of `origin`, and selects `length` bytes from there.
  ///
  /// `isDoubtful` says that it may be another place that looks alike.
  mutating func place(at position: Int, selecting length: Int, isDoubtful: Bool = false) {
    if isDoubtful { self.isDoubtful = true }
    moveGap(to: max(0, min(position - origin, count)))
    selectedCount = min(length, end - gapEnd)
  }

  /// Takes `text` for the whole of what is remembered, with the caret or the selection in it.
  mutating func rewrite(_ text: [UInt8], caret: Int, selecting length: Int) {
    room = TextRoom(count: text.count)
    text.withBytes { room.write($0, at: 0) }
    isPlain = nil
    gapStart = caret
    gapEnd = caret
    end = text.count
    selectedCount = length
  }

  /// Makes `change`, and puts the caret, or a selection, in the text as it is then.
  mutating func make(_ change: TextChange, caret: Int, selecting length: Int) {
    place(at: origin + change.start, selecting: 0)
    change.inserted.withBytes {
      edit(
        removingLeft: 0, removingSelection: false, removingRight: change.removed.count,
        inserting: $0)
    }
    place(at: origin + caret, selecting: length)
  }

  /// What bringing the memory in line with a snapshot did to it.
  enum Change {
    /// The two differed, and all but the snapshot is forgotten.
    case contradicted
    /// So many bytes came to be known at its ends.
    case grown(left: Int, right: Int)
  }

  /// Brings the memory in line with `known`, what the new snapshot alone shows: learns what lies
  /// beyond, and where they differ, forgets all else; with `isProven` it is known that they agree.
  mutating func reconcile(with known: Known, window: Window, isProven: Bool) -> Change {
    if !known.isWithin(limit) {
      return reconcile(with: known.within(limit), window: window, isProven: isProven)
    }
    if !isProven, isEmpty || !agrees(with: known, window: window) {
      start(with: known)
      return .contradicted
    }
    forgetHidden(by: known, window: window)
    let left = gapStart
    if let seam, caret - known.left.count < seam {
      let seen = known.left.prefix(min(known.left.count, seam - caret + known.left.count))
      if KeptScalars.count(endOf: seen) >= 2 { self.seam = nil }
    }
    if known.left.count > left {
      extend(left: known.left.dropLast(left), edge: known.leftEdge)
    } else if known.left.count == left, left == 0 || known.leftEdge == .document {
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

  /// Forgets what should be shown beside the caret where nothing is, or where a line ends that is shown
  /// whole: the host may hide it, or it is another place.
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
      window != .line || room[left - 1] != .newline
    {
      room.move(left..<gapStart, to: 0)
      origin += left
      gapStart -= left
      leftEdge = known.leftEdge
    }
  }

  /// Learns text left of all that is remembered.
  mutating func extend(left text: Bytes, edge: Edge) {
    let caret = gapStart
    moveGap(to: 0)
    insertLeft(text)
    moveGap(to: text.count + caret)
    origin -= text.count
    leftEdge = edge
  }

  /// Learns text right of all that is remembered.
  mutating func extend(right text: Bytes, edge: Edge) {
    if room.count - end < text.count { makeRoom(inGap: gapEnd - gapStart, behind: text.count) }
    room.write(text, at: end)
    end += text.count
    if isPlain == true { isPlain = text.isPlain }
    rightEdge = edge
  }

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

  /// Relies on the memory again.
  mutating func settle() { isDoubtful = false }

  /// Forgets what lies farthest from the caret, down to three quarters of the limit.
  mutating func trim() {
    if count <= limit { return }
    let kept = limit / 4 * 3
    let rightKept = max(0, min(end - gapEnd, max(kept / 2, kept - gapStart)))
    let leftKept = min(gapStart, kept - rightKept)
    let last = right.scalarStart(atOrBefore: max(rightKept, min(selectedCount, limit)))
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
    // Without the room that the rest took.
    makeRoom(inGap: 0)
  }
}

// MARK: - The gap

extension Memory {
  private mutating func insertLeft(_ text: Bytes) {
    if gapEnd - gapStart < text.count {
      // An eighth of the text, so that a run of typing needs more seldom.
      makeRoom(inGap: text.count + max(128, count / 8))
    }
    room.write(text, at: gapStart)
    gapStart += text.count
    if isPlain == true { isPlain = text.isPlain }
  }

  /// Takes another room, with so many bytes in the gap and behind the text.
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
