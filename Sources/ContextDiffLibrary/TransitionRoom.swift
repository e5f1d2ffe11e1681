internal import CContextDiff
internal import ContextDiff

/// A block of memory for one transition that C reads, with its lists and texts.
///
/// Safe: it owns the block, and `keep` reserves room for all that it writes there.
@safe struct TransitionRoom: ~Copyable {
  private var block: UnsafeMutableRawPointer
  /// The size of the block, in bytes.
  private var capacity: Int

  init() {
    capacity = 1_024
    unsafe block = TransitionRoom.allocate(capacity)
  }

  deinit { unsafe block.deallocate() }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: count, alignment: MemoryLayout<contextdiff_transition>.alignment)
  }

  /// Copies a transition into the block, over the one before, and returns its place, which is valid until the next
  /// call.
  mutating func keep(_ transition: Transition) -> UnsafePointer<contextdiff_transition> {
    let lists =
      transition.alternatives.count * MemoryLayout<contextdiff_kind>.stride
      + (transition.expected.count + transition.unfulfilled.count) * MemoryLayout<Int64>.stride
    // Each text has a NUL behind it. The 8 bytes below are slack: the widest parts come first, so that none is padded.
    let texts = (transition.inserted?.utf8.count ?? 0) + (transition.removed?.utf8.count ?? 0) + 2
    reserve(MemoryLayout<contextdiff_transition>.stride + lists + texts + 8)

    // Unsafe: the parts lie one behind the other within what was reserved, the widest first, so that each is aligned.
    var end = unsafe block + MemoryLayout<contextdiff_transition>.stride
    var made = contextdiff_transition()
    made.size = MemoryLayout<contextdiff_transition>.size
    made.kind = transition.kind.number
    made.basic_kind = transition.basicKind.number
    made.certainty = transition.certainty.number
    made.leaves_composition = contextdiff_answer(transition.leavesComposition)
    made.is_partial = contextdiff_answer(transition.isPartial)
    made.cursor_offset_known = contextdiff_answer(transition.cursorOffset != nil)
    if let offset = transition.cursorOffset {
      made.cursor_offset = contextdiff_extent(
        scalars: Int64(offset.scalars), utf16: Int64(offset.utf16),
        graphemes: Int64(offset.graphemes))
    }
    unsafe made.expected = Self.put(transition.expected.lazy.map { Int64($0) }, at: &end)
    made.expected_count = transition.expected.count
    unsafe made.unfulfilled = Self.put(transition.unfulfilled.lazy.map { Int64($0) }, at: &end)
    made.unfulfilled_count = transition.unfulfilled.count
    unsafe made.alternatives = Self.put(transition.alternatives.lazy.map(\.number), at: &end)
    made.alternative_count = transition.alternatives.count
    made.inserted = unsafe Self.put(transition.inserted, at: &end)
    made.removed = unsafe Self.put(transition.removed, at: &end)

    let place = unsafe block.bindMemory(to: contextdiff_transition.self, capacity: 1)
    unsafe place.initialize(to: made)
    return unsafe UnsafePointer(place)
  }

  /// Makes room for `count` bytes, without keeping the block's content; a block of more than 64 KiB is freed first.
  private mutating func reserve(_ count: Int) {
    guard count > capacity || capacity > 65_536 else { return }
    // Unsafe: the transition before is not valid any more.
    unsafe block.deallocate()
    capacity = max(count, 1_024)
    unsafe block = TransitionRoom.allocate(capacity)
  }

  /// Writes a list at `end`, and moves that behind it; returns the list's place, `nil` for an empty list.
  private static func put<Value: BitwiseCopyable>(
    _ values: some Collection<Value>, at end: inout UnsafeMutableRawPointer
  ) -> UnsafePointer<Value>? {
    guard !values.isEmpty else { return nil }
    // Unsafe: `keep` has reserved the room.
    let start = unsafe end.bindMemory(to: Value.self, capacity: values.count)
    var place = unsafe start
    for value in values {
      unsafe place.initialize(to: value)
      unsafe place += 1
    }
    unsafe end = UnsafeMutableRawPointer(place)
    return unsafe UnsafePointer(start)
  }

  /// Writes a text and a NUL at `end`, and moves that behind them; returns a NULL text for `nil`.
  private static func put(
    _ text: String?, at end: inout UnsafeMutableRawPointer
  ) -> contextdiff_text {
    guard var text else { return contextdiff_text() }
    // Unsafe: `keep` has reserved the room.
    let start = unsafe end
    text.withUTF8 { bytes in
      if let base = bytes.baseAddress {
        unsafe start.copyMemory(from: base, byteCount: bytes.count)
      }
      unsafe end = start + bytes.count
    }
    unsafe end.storeBytes(of: 0, as: UInt8.self)
    defer { unsafe end += 1 }
    return unsafe contextdiff_text(
      data: UnsafePointer(start.assumingMemoryBound(to: CChar.self)), length: end - start)
  }
}
