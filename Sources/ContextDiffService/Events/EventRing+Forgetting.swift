internal import DequeModule
internal import Glibc

extension EventRing {
  /// Forgets a session's events: their numbers and kinds stay, and nothing else of them is in the
  /// memory any more, those included that were let go of before.
  ///
  /// - Returns: How many kept events are forgotten by this.
  /// - Complexity: O(*n*) in the bytes of the session's kept events, and of those that were let go of
  ///   since that was last done; one in 256 of the others is looked at.
  @discardableResult
  package mutating func forget(session name: String) -> Int {
    var name = name
    // Unsafe: read while it is lent.
    return name.withUTF8 { unsafe forget(session: UnsafeRawBufferPointer($0)) }
  }

  private mutating func forget(session name: UnsafeRawBufferPointer) -> Int {
    // Unsafe: the name, and the events of the ring, read at once.
    let hash = unsafe EventRing.hash(name)
    let group = EventRing.group(ofHash: hash)
    var count = 0
    var next = latest[group]
    latest[group] = 0
    // Of the group's other sessions, the event looked at last.
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

  /// Lets go of the events kept for longer than `age`, and erases them; of the last one its number
  /// stays, from which the next one's follows.
  ///
  /// - Parameters:
  ///   - age: In microseconds.
  ///   - now: Monotonic time, in microseconds.
  /// - Complexity: O(*n*) in the bytes of what is let go of.
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
      isMoved = true
    }
    guard isMoved else { return }
    publishTail()
    eraseFreeRoom()
  }

  /// Lets go of the oldest events beyond `count`, and erases them; the last one stays.
  ///
  /// - Parameter count: How many may be kept.
  /// - Complexity: O(*n*) in the bytes of what is let go of.
  package mutating func drop(beyond count: Int) {
    let excess = places.count - max(1, count)
    guard excess > 0 else { return }
    drop(first: excess)
    _ = tryCharge(for: 0)
  }

  /// Lets go of so many of the oldest events, and erases them.
  mutating func drop(first count: Int) {
    for _ in 0..<count { dropFirst() }
    publishTail()
    eraseFreeRoom()
  }

  /// When the oldest event that says anything was kept, in microseconds of the monotonic clock; `nil`
  /// where there is none.
  package var oldestTime: Int? { count > forgottenCount ? places.first?.time : nil }

  mutating func forgetEvent(at index: Int) {
    // Unsafe: a record that the ring holds.
    let place = unsafe records + places[index].position % capacity
    unsafe Record(readingHeaderAt: place).forget(at: place)
    forgottenCount += 1
    forgottenEver += 1
  }

  /// Erases what is left of events that were let go of, and gives the memory back.
  ///
  /// - Complexity: O(*n*) in what was let go of since it was last erased.
  mutating func eraseFreeRoom() {
    let first = places.first?.position ?? head
    let start = max(erasedUpTo, head - capacity) + capacity
    let end = first + capacity
    erasedUpTo = first
    guard start < end else { return }
    // Unsafe: between the two positions nothing is kept any more.
    let place = unsafe records + start % capacity
    let page = Layout.headerBytes
    // Where the whole pages of the room begin and end, seen from `place`.
    let (pages, pagesEnd) = ((start + page - 1) / page * page - start, end / page * page - start)
    guard pages < pagesEnd else {
      unsafe memset(place, 0, end - start)
      return
    }
    unsafe memset(place, 0, pages)
    unsafe memset(place + pagesEnd, 0, end - start - pagesEnd)
    // Refused where the machine's pages are larger.
    if unsafe madvise(place + pages, pagesEnd - pages, MADV_REMOVE) != 0 {
      unsafe memset(place + pages, 0, pagesEnd - pages)
    }
  }
}

// MARK: - Whose events they are

extension EventRing {
  /// A session's name with its hash, by which the ring finds the session's events.
  ///
  /// Safe: valid as long as the memory that it was given, which who makes one answers for.
  @safe package struct Name {
    /// In UTF-8.
    let bytes: UnsafeRawBufferPointer
    let hash: Int

    /// The name of these bytes.
    package init(_ bytes: UnsafeRawBufferPointer) {
      // Unsafe: read at once; valid as long as the bytes are.
      unsafe self.init(bytes, hash: EventRing.hash(bytes))
    }

    /// The name of these bytes, whose hash is known.
    init(_ bytes: UnsafeRawBufferPointer, hash: Int) {
      unsafe (self.bytes, self.hash) = (bytes, hash)
    }
  }

  /// A kept record, in this process's memory alone.
  struct Place {
    let position: Int
    /// Of its session's name.
    let nameHash: Int
    /// When it was kept, in microseconds of the monotonic clock.
    let time: Int
    /// The number of its group's kept event before this one; smaller than any that is kept where
    /// there is none.
    var previous = 0

    var group: Int { EventRing.group(ofHash: nameHash) }
  }

  /// Into how many groups the sessions fall, by their names' hashes: a power of two.
  static let groups = 256

  static func group(ofHash hash: Int) -> Int { hash & (groups - 1) }

  static func hash(_ name: String) -> Int {
    var name = name
    // Unsafe: read while it is lent.
    return name.withUTF8 { unsafe hash(UnsafeRawBufferPointer($0)) }
  }

  static func hash(_ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    // Unsafe: read at once.
    unsafe hasher.combine(bytes: name)
    return hasher.finalize()
  }
}
