/// Memory for text at an address that stays the same, so that the text can be lent without a closure.
///
/// Copies share it until one of them is written to.
struct TextRoom: Sendable {
  // Sendable: a place that is shared is never written to. Safe: it frees its memory in `deinit`, and every access is
  // checked to be within `count`.
  @safe private final class Place: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int

    init(count: Int) {
      unsafe start = .allocate(capacity: count)
      unsafe start.initialize(repeating: 0, count: count)
      self.count = count
    }

    deinit { unsafe start.deallocate() }
  }

  private var place: Place?

  /// Room for `count` bytes.
  init(count: Int) {
    if count > 0 { place = Place(count: count) }
  }

  /// All of the memory; valid until it is written to or released.
  @unsafe var bytes: Bytes {
    guard let place else { return .empty }
    return unsafe Bytes(start: place.start, count: place.count)
  }

  /// The byte at `index`, which must be below `count`.
  subscript(index: Int) -> UInt8 {
    // Unsafe: read at once.
    unsafe bytes[index]
  }

  var count: Int { place?.count ?? 0 }

  /// Copies `text`, which must not lie in this room, to `offset`.
  mutating func write(_ text: Bytes, at offset: Int) {
    write(Joined(text), at: offset)
  }

  /// Copies the stretches of `text`, one behind the other, to `offset`.
  @inline(__always) mutating func write(_ text: Joined, at offset: Int) {
    precondition(offset >= 0 && text.count <= count - offset, "beyond the room")
    claim()
    guard let place else { return }
    // Unsafe: there is room for all the parts, checked above.
    var target = unsafe UnsafeMutableRawPointer(place.start + offset)
    func append(_ part: Bytes) {
      if part.isEmpty { return }
      unsafe target.copyMemory(from: part.start, byteCount: part.count)
      unsafe target += part.count
    }
    append(text.head)
    append(text.middle)
    append(text.tail)
  }

  mutating func write(_ byte: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count, "beyond the room")
    claim()
    // Unsafe: checked above.
    unsafe place?.start[offset] = byte
  }

  /// Copies the bytes in `range` to `offset`; the two may overlap.
  mutating func move(_ range: Range<Int>, to offset: Int) {
    precondition(offset >= 0 && range.count <= count - offset, "beyond the room")
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "beyond the room")
    if range.isEmpty { return }
    claim()
    guard let place else { return }
    // Unsafe: both ranges are within the room, checked above.
    unsafe UnsafeMutableRawPointer(place.start + offset)
      .copyMemory(from: place.start + range.lowerBound, byteCount: range.count)
  }

  /// Copies the place, if it is shared, so that it can be written to.
  @inline(__always) private mutating func claim() {
    if isKnownUniquelyReferenced(&place) { return }
    let own = Place(count: count)
    // Unsafe: the own place is as large as the shared one.
    if let place { unsafe own.start.update(from: place.start, count: place.count) }
    place = own
  }
}
