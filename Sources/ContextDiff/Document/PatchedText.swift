/// The known text with one stretch around the caret replaced, as undo steps change it; the rest is not copied.
struct PatchedText {
  private let left: Bytes
  private let selected: Bytes
  private let right: Bytes
  /// The start of the replaced stretch in `left`, and its end in `right`.
  private(set) var start: Int
  private(set) var end = 0
  /// The text in its place.
  private(set) var patch: [UInt8]

  init(_ known: borrowing Known) {
    left = known.left
    selected = known.selected
    right = known.right
    start = known.left.count
    patch = Array(known.selected)
  }

  var count: Int { start + patch.count + right.count - end }

  /// How far from the caret, in bytes, a step is undone at most.
  private static let farthest = 65_536

  /// Whether `old` stands at `position`, and near enough to the caret.
  func holds(_ old: [UInt8], at position: Int) -> Bool {
    guard position >= 0, position + old.count <= count, start - position <= PatchedText.farthest,
      position - start - patch.count <= PatchedText.farthest
    else { return false }
    return old.withBytes { old in
      lend { $0.dropFirst(position).hasPrefix(old) }
    }
  }

  /// Exchanges the `length` bytes at `position` for `new`.
  mutating func exchange(_ length: Int, for new: [UInt8], at position: Int) {
    if position < start {
      patch.insert(contentsOf: left.dropFirst(position).prefix(start - position), at: 0)
      start = position
    }
    let missing = position + length - start - patch.count
    if missing > 0 {
      patch.append(contentsOf: right.dropFirst(end).prefix(missing))
      end += missing
    }
    let offset = position - start
    patch.replaceSubrange(offset..<offset + length, with: new)
  }

  mutating func append(_ text: Bytes) {
    patch.append(contentsOf: right.dropFirst(end))
    patch.append(contentsOf: text)
    end = right.count
  }

  /// Lends the whole text to `body`.
  func lend<Result>(to body: (Joined) -> Result) -> Result {
    patch.withBytes {
      body(Joined(left.prefix(start), $0, right.dropFirst(end)))
    }
  }

  /// The change from the known text to this.
  var change: TextChange {
    lend { new in
      TextChange(
        from: Joined(left, selected, right), to: new, start: start, sameEnd: right.count - end)
    }
  }
}
