/// The text of a document that a session's snapshots prove: one stretch around the caret, as a gap
/// buffer, so that an edit at the caret moves nothing.
struct Memory: Sendable {
  private var bytes: [UInt8] = []
  /// The gap lies left of the caret, or of the selection's left end.
  private var gapStart = 0
  private var gapEnd = 0
  /// How long the selection is that begins behind the gap.
  private(set) var selectedCount = 0
  private(set) var leftEdge = Edge.open
  private(set) var rightEdge = Edge.open
  /// Where the first remembered byte lies, counted from where the memory began: text that comes to
  /// be known on the left makes it less, text that is forgotten there makes it more.
  private(set) var origin = 0
  private(set) var limit: Int
  /// Whether the caret was put at one of several places that look alike; then nothing beyond the
  /// snapshot is relied on until one shows which it was.
  private(set) var isDoubtful = false
  /// Where the text begins, on the scale of `origin`, that was seen since an edit that may have
  /// been another; `nil` where all of it may be relied on.
  private(set) var seam: Int?
  private(set) var isEmpty = true

  init(limit: Int) { self.limit = max(limit, 0) }

  /// A memory of `text` with the caret in it.
  init(
    limit: Int, text: [UInt8], caret: Int, selecting length: Int, origin: Int, leftEdge: Edge,
    rightEdge: Edge, isDoubtful: Bool, seam: Int?
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

  /// Where the caret, or the selection's left end, stands, on the scale of `origin`.
  var caret: Int { origin + gapStart }

  /// Whether it may be relied on beyond the snapshot.
  var isReliable: Bool { !isEmpty && !isDoubtful }

  var count: Int { bytes.count - (gapEnd - gapStart) }

  /// Whether the text may end with an empty line, where the caret is, once `left` bytes left of it
  /// are gone.
  @inline(__always) func isOnEmptyLastLine(without left: Int) -> Bool {
    left < gapStart && bytes[gapStart - left - 1] == 0x0A && bytes.count == gapEnd
      && (rightEdge == .document || rightEdge == .line)
  }

  /// Whether the text left of the caret is in doubt from somewhere on.
  var isSeamed: Bool { seam.map { $0 > origin && $0 <= caret } ?? false }

  /// Doubts what lies more than `length` bytes left of the caret.
  mutating func doubt(beyond length: Int) { seam = caret - length }

  /// Whether it reaches as far as `shown`, the snapshot that it was last brought up to: of a text
  /// beyond the limit less is kept than is shown.
  func holds(_ shown: Fields) -> Bool {
    gapStart >= shown.before.bytes.count && selectedCount >= shown.selected.bytes.count
      && bytes.count - gapEnd - selectedCount >= shown.after.bytes.count
  }

  /// Lends the known text, of which `old` shows a part.
  @inline(__always) func withKnown<Result: ~Copyable>(around old: Fields, _ body: (Known) -> Result)
    -> Result
  {
    bytes.span.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      let right = all.dropFirst(gapEnd)
      return body(
        Known(
          rememberedAround: old, left: all.prefix(gapStart), selected: right.prefix(selectedCount),
          right: right.dropFirst(selectedCount), leftEdge: leftEdge, rightEdge: rightEdge))
    }
  }

  /// Forgets everything, and learns what `known` holds.
  mutating func start(with known: Known) {
    let known = known.within(limit)
    // All of the room that there is, is gap; a text that was far longer leaves none.
    let length = known.left.count + known.selected.count + known.right.count
    if bytes.count > 4 * length + 1_024 { bytes = [] }
    gapStart = 0
    gapEnd = bytes.count
    origin = 0
    isEmpty = false
    isDoubtful = false
    seam = nil
    openGap(length)
    gapStart = known.left.count
    gapEnd = bytes.count - known.selected.count - known.right.count
    bytes.write(known.left, at: 0)
    bytes.write(Joined(known.selected, known.right), at: gapEnd)
    selectedCount = known.selected.count
    leftEdge = known.leftEdge
    rightEdge = known.rightEdge
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
    gapEnd += min(right, bytes.count - gapEnd)
    selectedCount = 0
    insertLeft(text)
  }

  /// Puts the caret at `position`, on the scale of `origin`, and selects `length` bytes from there.
  ///
  /// `isDoubtful` says that it may be another place that looks alike.
  mutating func place(at position: Int, selecting length: Int, isDoubtful: Bool = false) {
    if isDoubtful { self.isDoubtful = true }
    moveGap(to: max(0, min(position - origin, count)))
    selectedCount = min(length, bytes.count - gapEnd)
  }

  /// Takes `text` for the whole of what is remembered, with the caret or the selection in it.
  mutating func rewrite(_ text: [UInt8], caret: Int, selecting length: Int) {
    bytes = text
    gapStart = caret
    gapEnd = caret
    selectedCount = length
  }

  /// What bringing the memory in line with a snapshot did to it.
  enum Change {
    /// The two differed, and all but the snapshot is forgotten.
    case contradicted
    /// So many bytes came to be known at its ends.
    case grown(left: Int, right: Int)
  }

  /// Brings the memory in line with `shown`, what the new snapshot alone shows: learns what lies
  /// beyond, and where they differ, forgets all else; with `isProven` it is known that they agree.
  mutating func reconcile(with shown: Known, window: Window, isProven: Bool) -> Change {
    let known = shown.within(limit)
    if !isProven, isEmpty || !agrees(with: known, window: window) {
      start(with: known)
      return .contradicted
    }
    forgetHidden(by: known, window: window)
    let left = gapStart
    if let seam, caret - known.left.count < seam {
      let seen = known.left.prefix(min(known.left.count, seam - caret + known.left.count))
      if Evidence.count(endOf: seen) >= 2 { self.seam = nil }
    }
    if known.left.count > left {
      extend(left: known.left.dropLast(left), edge: known.leftEdge)
    } else if known.left.count == left, left == 0 || known.leftEdge == .document {
      leftEdge = known.leftEdge
    }
    let right = bytes.count - gapEnd - selectedCount
    if known.right.count > right {
      extend(right: known.right.dropFirst(right), edge: known.rightEdge)
    } else if known.right.count == right, rightEdge != .document, known.rightEdge != .line {
      rightEdge = known.rightEdge
    }
    trim()
    return .grown(
      left: max(0, known.left.count - left), right: max(0, known.right.count - right))
  }

  /// Forgets what should be shown beside the caret where nothing is: the host may hide it, or it is
  /// another place.
  private mutating func forgetHidden(by known: Known, window: Window) {
    if window == .sentence { return }
    let right = gapEnd + selectedCount
    if known.right.isEmpty, right < bytes.count, window == .full || bytes[right] != 0x0A {
      bytes.removeSubrange(right...)
      rightEdge = known.rightEdge
    }
    if known.left.isEmpty, gapStart > 0 {
      origin += gapStart
      bytes.removeSubrange(..<gapStart)
      gapEnd -= gapStart
      gapStart = 0
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
    bytes.append(contentsOf: text.raw)
    rightEdge = edge
  }

  private func agrees(with known: Known, window: Window) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      let left = all.prefix(gapStart)
      let selected = all.dropFirst(gapEnd).prefix(selectedCount)
      let right = all.dropFirst(gapEnd + selectedCount)
      let shorterLeft = min(left.count, known.left.count)
      let shorterRight = min(right.count, known.right.count)
      if selected != known.selected && !selected.isCutShort(to: known.selected) { return false }
      if window == .sentence && known.leftEdge == .document && !left.isEmpty { return false }
      if window == .sentence && known.rightEdge == .document && !right.isEmpty { return false }
      return left.suffix(shorterLeft) == known.left.suffix(shorterLeft)
        && right.prefix(shorterRight) == known.right.prefix(shorterRight)
    }
  }

  /// Relies on the memory again.
  mutating func settle() { isDoubtful = false }

  /// Forgets what lies farthest from the caret, down to three quarters of the limit.
  mutating func trim() {
    if count <= limit { return }
    let kept = limit / 4 * 3
    let rightKept = max(0, min(bytes.count - gapEnd, max(kept / 2, kept - gapStart)))
    let leftKept = min(gapStart, kept - rightKept)
    let last = bytes.withUnsafeBufferPointer {
      Bytes($0).scalarStart(atOrBefore: gapEnd + max(rightKept, min(selectedCount, limit)))
    }
    if last < bytes.count {
      bytes.removeSubrange(last...)
      selectedCount = min(selectedCount, bytes.count - gapEnd)
      rightEdge = .open
    }
    let first = bytes.withUnsafeBufferPointer {
      Bytes($0).prefix(gapStart).scalarStart(atOrAfter: gapStart - leftKept)
    }
    if first > 0 {
      bytes.removeSubrange(..<first)
      gapStart -= first
      gapEnd -= first
      origin += first
      leftEdge = .open
    }
    // Removing keeps the room.
    bytes = bytes.withUnsafeBufferPointer { Array($0) }
  }
}

// MARK: - The gap

extension Memory {
  private mutating func insertLeft(_ text: Bytes) {
    openGap(text.count)
    bytes.write(text, at: gapStart)
    gapStart += text.count
  }

  private mutating func openGap(_ length: Int) {
    let gap = gapEnd - gapStart
    if gap >= length { return }
    // An eighth of the text, so that a run of typing opens it seldom.
    let more = length - gap + max(64, count / 8)
    var roomier = [UInt8](repeating: 0, count: bytes.count + more)
    bytes.withUnsafeBufferPointer {
      roomier.write(Bytes($0).prefix(gapStart), at: 0)
      roomier.write(Bytes($0).dropFirst(gapEnd), at: gapEnd + more)
    }
    bytes = roomier
    gapEnd += more
  }

  private mutating func moveGap(to start: Int) {
    let isLeft = start < gapStart
    let length = isLeft ? gapStart - start : start - gapStart
    if length == 0 { return }
    let source = isLeft ? start : gapEnd
    let target = isLeft ? gapEnd - length : gapStart
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[target...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[source..<source + length]))
    }
    gapEnd += start - gapStart
    gapStart = start
  }

  /// The remembered text without its gap.
  var text: [UInt8] { Array(bytes[..<gapStart]) + Array(bytes[gapEnd...]) }
}
