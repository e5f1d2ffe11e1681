internal import DequeModule
internal import Glibc

extension EventRing {
  /// Forgets a session's events: their numbers and kinds stay, and all else of them is overwritten, also what is left of
  /// dropped events.
  ///
  /// - Parameter name: The session's name.
  /// - Returns: How many kept events this forgot.
  /// - Complexity: O(*n*) in the bytes of the session's kept events, and of the events dropped since the last erasing;
  ///   about one in 256 of the other sessions' events is looked at.
  @discardableResult
  package mutating func forget(session name: String) -> Int {
    var name = name
    // Unsafe: the name's own bytes, read while they are lent.
    return name.withUTF8 { unsafe forget(session: UnsafeRawBufferPointer($0)) }
  }

  private mutating func forget(session name: UnsafeRawBufferPointer) -> Int {
    // Unsafe: the name, and the events of the ring, read at once.
    let hash = unsafe EventRing.hash(name)
    let group = EventRing.group(ofHash: hash)
    var count = 0
    var next = latest[group]
    latest[group] = 0
    // The index of the last event looked at that is of another session of the group.
    var other: Int?
    while next >= firstSequence {
      let index = next - firstSequence
      if places[index].nameHash == hash, unsafe event(at: index).session.elementsEqual(name) {
        forgetEvent(at: index)
        count += 1
      } else {
        if let other { places[other].previous = next } else { latest[group] = next }
        other = index
      }
      next = places[index].previous
    }
    if let other { places[other].previous = 0 }
    eraseFreeRoom()
    return count
  }

  /// Drops the events kept for `age` or longer, and erases them and those dropped before that are as old; the last event
  /// is forgotten instead, since its number is needed for the next one's.
  ///
  /// - Parameters:
  ///   - age: In microseconds.
  ///   - now: Monotonic time, in microseconds.
  /// - Complexity: O(*n*) in the bytes of the dropped events.
  package mutating func drop(olderThan age: Int, now: Int) {
    var isMoved = false
    while places.count > 1, let oldest = places.first, now - oldest.time >= age {
      dropFirst()
      isMoved = true
    }
    if let last = places.last, places.count == 1, now - last.time >= age,
      !event(at: 0).isForgotten
    {
      latest[last.group] = 0
      forgetEvent(at: 0)
    }
    if isMoved { publishTail() }
    if let dropped = oldestDroppedTime, now - dropped >= age { eraseFreeRoom() }
  }

  /// Drops the oldest events beyond `count`, and erases them; the last one stays.
  ///
  /// - Parameter count: How many may be kept; 0 is taken for 1.
  /// - Complexity: O(*n*) in the bytes of the dropped events.
  package mutating func drop(beyond count: Int) {
    let excess = places.count - max(1, count)
    guard excess > 0 else { return }
    drop(first: excess)
  }

  /// Drops the `count` oldest events, and erases them; there must be more.
  mutating func drop(first count: Int) {
    for _ in 0..<count { dropFirst() }
    publishTail()
    eraseFreeRoom()
  }

  /// When the oldest event was kept of which more than number and kind is in memory, kept or dropped, in microseconds of
  /// the monotonic clock; `nil` where there is none.
  package var oldestTime: Int? {
    oldestDroppedTime ?? (count > forgottenCount ? places.first?.time : nil)
  }

  /// Forgets the event at that index of `places`.
  mutating func forgetEvent(at index: Int) {
    // Unsafe: a record that the ring holds, at its place.
    let place = unsafe records + places[index].position % capacity
    unsafe Record(readingHeaderAt: place).forget(at: place)
    forgottenCount += 1
  }

  /// Overwrites what is left of dropped events with zeros, and gives whole pages of it back to the kernel, and to the
  /// account what they were charged.
  ///
  /// - Complexity: O(*n*) in the bytes dropped since the last call.
  mutating func eraseFreeRoom() {
    oldestDroppedTime = nil
    let first = places.first?.position ?? head
    let start = max(erasedUpTo, head - capacity) + capacity
    let end = first + capacity
    erasedUpTo = first
    guard start < end else { return }
    // A charge can always be made smaller.
    defer { _ = tryCharge(for: 0) }
    // Unsafe: no record is kept between the two positions.
    let place = unsafe records + start % capacity
    let page = Layout.headerBytes
    // Where the whole pages between the positions begin and end, as offsets from `place`.
    let (pages, pagesEnd) = ((start + page - 1) / page * page - start, end / page * page - start)
    guard pages < pagesEnd else {
      unsafe memset(place, 0, end - start)
      return
    }
    unsafe memset(place, 0, pages)
    unsafe memset(place + pagesEnd, 0, end - start - pagesEnd)
    // madvise(2) refuses where the machine's pages are larger than 4,096 bytes.
    if unsafe madvise(place + pages, pagesEnd - pages, MADV_REMOVE) != 0 {
      unsafe memset(place + pages, 0, pagesEnd - pages)
    }
  }
}

// MARK: - The events of a session

extension EventRing {
  /// A session's name with its hash, by which the ring finds the session's events.
  ///
  /// `@safe`: whoever makes one must not use it longer than the bytes are valid.
  @safe package struct Name {
    /// The name in UTF-8.
    let bytes: UnsafeRawBufferPointer
    let hash: Int

    /// The name that these bytes are.
    package init(_ bytes: UnsafeRawBufferPointer) {
      // Unsafe: the bytes are read at once, and kept as said above.
      unsafe self.init(bytes, hash: EventRing.hash(bytes))
    }

    /// The name that these bytes are, whose hash is known.
    init(_ bytes: UnsafeRawBufferPointer, hash: Int) {
      unsafe (self.bytes, self.hash) = (bytes, hash)
    }
  }

  /// Where a kept record is, with what the ring looks up often; in this process's memory alone.
  struct Place {
    /// The record's position, which grows from record to record: modulo the capacity it is an offset.
    let position: Int
    /// The hash of the session's name; 0 for an event that was forgotten by an earlier process.
    let nameHash: Int
    /// When it was kept, in microseconds of the monotonic clock.
    let time: Int
    /// The number of the event before this one in its group; one that is not kept where there is none.
    var previous = 0

    var group: Int { EventRing.group(ofHash: nameHash) }
  }

  /// The number of groups, a power of two, into which sessions fall by the hashes of their names.
  static let groups = 256

  static func group(ofHash hash: Int) -> Int { hash & (groups - 1) }

  static func hash(_ name: String) -> Int {
    var name = name
    // Unsafe: the name's own bytes, read while they are lent.
    return name.withUTF8 { unsafe hash(UnsafeRawBufferPointer($0)) }
  }

  static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    // Unsafe: the caller lends the bytes, which are read at once.
    unsafe hasher.combine(bytes: name)
    return hasher.finalize()
  }
}
