internal import CLinux
package import ContextDiff
internal import DequeModule
internal import Glibc
internal import Synchronization

/// One user's latest events, in memory that outlives the process: a memfd that systemd's file descriptor store passes to
/// the next one.
///
/// A process that is killed at any instruction leaves a readable ring. The memory has a header (`Layout`) and records
/// between two positions that only grow, `tail` and `head`. A record's offset is its position modulo the capacity; the
/// memory of the records is mapped twice in a row, so that no record is split. `tail` is moved behind the records that
/// are to be overwritten before a byte of them changes, and `head` behind a record, by one store, when all of it is
/// written. So the records between the two are always whole; checksums detect damage by others. A record becomes a
/// forgotten one by one store, before a byte of its contents changes, and the next process erases forgotten records
/// again.
///
/// An event is *dropped* to make room, or for its age: it is not in the ring any more. An event is *forgotten* with its
/// session: its record stays, with its number and kind alone. At least the last event is kept, since the next one has
/// the number after its; where the next one needs its room, the header keeps the number until that one is written.
///
/// `@safe`: the ring owns the mapping, which is unmapped in `deinit`. Offsets are positions modulo the capacity, and no
/// record is longer than the capacity, whether written here or verified by its checksum.
@safe
package struct EventRing: ~Copyable {
  /// The offsets of the header's fields, in bytes, and their sizes.
  package enum Layout {
    /// The size of the header, in bytes: one page.
    package static let headerBytes = 4_096
    /// "cdiffev5"; the last byte, which is the highest, is the form's version.
    static let magic: UInt64 = 0x3576_6566_6669_6463
    static let capacityOffset = 8
    static let userOffset = 16
    static let instanceOffset = 24
    static let instanceBytes = 32
    static let checksumOffset = 56
    package static let tailOffset = 64
    package static let headOffset = 72
    /// The number of the last event, where the ring holds none.
    ///
    /// Older versions leave 0 here.
    package static let sequenceOffset = 80
  }

  /// Tells numbers of this ring from those of other runs: 32 hexadecimal digits.
  package let instance: String
  /// The user whose events these are.
  package let userID: UInt32
  /// The memfd.
  package let descriptor: Int32
  /// The number of the last event; 0 before the first.
  package private(set) var lastSequence = 0

  /// How many of the kept events are forgotten ones.
  package internal(set) var forgottenCount = 0

  /// The size of the records' memory, in bytes: a multiple of 4,096.
  let capacity: Int
  private let header: UnsafeMutableRawPointer
  let records: UnsafeMutableRawPointer
  /// The kept records, the oldest first; the last one has the number `lastSequence`.
  var places = Deque<Place>()
  /// For each group of sessions, the number of its latest event that is not forgotten.
  ///
  /// The sessions of a group have names whose hashes end in the same bits. A number that is not kept stands for none.
  var latest = [Int](repeating: 0, count: EventRing.groups)
  /// The position behind the last record.
  private(set) var head = 0
  /// The user's charge for the memory that the ring takes; `nil` until `charge(to:)`.
  var memoryCharge: Charge?
  /// The position up to which dropped events are overwritten.
  var erasedUpTo = 0
  /// When the oldest of the events was kept that are dropped and not erased yet, in microseconds of the monotonic clock;
  /// `nil` where there are none.
  var oldestDroppedTime: Int?

  /// An empty ring that holds about `capacity` bytes of events.
  ///
  /// - Parameters:
  ///   - userID: The user whose events it will hold.
  ///   - instance: Tells its numbers from those of other runs: 32 hexadecimal digits.
  ///   - capacity: In bytes; rounded up to whole pages, one at least.
  ///   - sequence: The number of the last event of an earlier ring, whose contents are not kept; 0 where there was none.
  /// - Throws: Where there is no memory, or no descriptor left.
  package init(
    userID: UInt32, instance: String, capacity: Int, after sequence: Int = 0
  ) throws(KeptMemoryError) {
    let page = Layout.headerBytes
    let capacity = max(page, (capacity + page - 1) / page * page)
    // Unsafe: C reads the name before it returns.
    let descriptor = unsafe clinux_memfd_create("contextdiff-events")
    guard descriptor >= 0 else { throw .system(errno) }
    // Sealed: another process that has the descriptor cannot shrink the file, which would make accesses fail.
    guard ftruncate(descriptor, page + capacity) == 0, clinux_seal_size(descriptor) == 0 else {
      let failure = KeptMemoryError.system(errno)
      close(descriptor)
      throw failure
    }
    try self.init(mapping: descriptor, userID: userID, instance: instance, capacity: capacity)
    // Unsafe: the header's page is mapped.
    unsafe header.storeBytes(of: Layout.magic, as: UInt64.self)
    unsafe header.storeBytes(
      of: UInt64(capacity), toByteOffset: Layout.capacityOffset, as: UInt64.self)
    unsafe header.storeBytes(of: userID, toByteOffset: Layout.userOffset, as: UInt32.self)
    for (offset, digit) in instance.utf8.prefix(Layout.instanceBytes).enumerated() {
      unsafe header.storeBytes(
        of: digit, toByteOffset: Layout.instanceOffset + offset, as: UInt8.self)
    }
    unsafe header.storeBytes(
      of: EventRing.headerChecksum(header), toByteOffset: Layout.checksumOffset, as: UInt64.self)
    if sequence > 0 { keepNumber(sequence) }
  }

  /// Takes over the ring that an earlier process left in `descriptor`, and verifies every record.
  ///
  /// Closes the descriptor where it throws.
  ///
  /// - Parameters:
  ///   - descriptor: The memfd.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: The ring, which owns the descriptor.
  /// - Throws: Where the memory is not a whole ring.
  package static func adopt(_ descriptor: Int32, now: Int = 0) throws(KeptMemoryError) -> EventRing
  {
    // Sealed before its size is read. A memfd that an older version made cannot be sealed, and is used as it is.
    _ = clinux_seal_size(descriptor)
    var status = stat()
    // Unsafe: C fills the status before it returns.
    let size = unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    let capacity = size - Layout.headerBytes
    guard capacity > 0, capacity <= EventRing.mostCapacity, capacity % Layout.headerBytes == 0
    else {
      close(descriptor)
      throw .damaged("its size is not a ring's")
    }
    // Unsafe: the header's page, which the file has, until it is unmapped below.
    let mapped = unsafe mmap(nil, Layout.headerBytes, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      close(descriptor)
      throw .damaged("it cannot be mapped")
    }
    let magic = unsafe mapped.load(as: UInt64.self)
    let isWhole =
      unsafe magic == Layout.magic
      && mapped.load(fromByteOffset: Layout.capacityOffset, as: UInt64.self) == UInt64(capacity)
      && mapped.load(fromByteOffset: Layout.checksumOffset, as: UInt64.self)
        == headerChecksum(mapped)
    let userID = unsafe mapped.load(fromByteOffset: Layout.userOffset, as: UInt32.self)
    let instance = unsafe String(
      decoding: UnsafeRawBufferPointer(
        start: mapped + Layout.instanceOffset, count: Layout.instanceBytes), as: UTF8.self)
    unsafe munmap(mapped, Layout.headerBytes)
    guard isWhole else {
      close(descriptor)
      let isOther = magic != Layout.magic && magic << 8 == Layout.magic << 8
      throw isOther ? .otherVersion : .damaged("its header does not match its checksum")
    }
    var ring = try EventRing(
      mapping: descriptor, userID: userID, instance: instance, capacity: capacity)
    try ring.adoptRecords(now: now)
    return ring
  }

  private init(
    mapping descriptor: Int32, userID: UInt32, instance: String, capacity: Int
  ) throws(KeptMemoryError) {
    let total = Layout.headerBytes + 2 * capacity
    // Unsafe: reserves addresses that nothing else has; both mappings of the file replace parts of them.
    let area = unsafe mmap(nil, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let area = unsafe area, unsafe area != MAP_FAILED else {
      let failure = KeptMemoryError.system(errno)
      close(descriptor)
      throw failure
    }
    let first = unsafe mmap(
      area, Layout.headerBytes + capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
      descriptor, 0)
    let second = unsafe mmap(
      area + Layout.headerBytes + capacity, capacity, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_FIXED, descriptor, Layout.headerBytes)
    guard unsafe first != MAP_FAILED, unsafe second != MAP_FAILED else {
      let failure = KeptMemoryError.system(errno)
      unsafe munmap(area, total)
      close(descriptor)
      throw failure
    }
    // Typed text must not get into a core file.
    unsafe madvise(area, total, MADV_DONTDUMP)
    self.descriptor = descriptor
    self.userID = userID
    self.instance = instance
    self.capacity = capacity
    unsafe header = area
    unsafe records = area + Layout.headerBytes
  }

  deinit {
    // Unsafe: nobody has the ring any more.
    unsafe munmap(header, Layout.headerBytes + 2 * capacity)
    close(descriptor)
  }

  /// The most that `limits.keptEventsBytes` can be.
  private static let mostCapacity = 1 << 30

  private static func headerChecksum(_ header: UnsafeRawPointer) -> UInt64 {
    // Unsafe: the header's page.
    unsafe checksum(UnsafeRawBufferPointer(start: header, count: Layout.checksumOffset))
  }
}

// MARK: - Writing

extension EventRing {
  /// Keeps the next event; drops the oldest ones where there would be more than `limit`, or where it needs their room.
  ///
  /// An event for which the ring, or the user's account, has no room is kept without its pair; if that is not enough,
  /// with its number, kind and session alone.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - session: The session posted to.
  ///   - transition: The transition's JSON.
  ///   - pair: The members that the pair adds to the object.
  ///   - limit: How many events may be kept; 0 is taken for 1.
  ///   - epochTime: The time, in microseconds since the epoch.
  ///   - now: Monotonic time, in microseconds.
  /// - Complexity: O(*n*) in the bytes given.
  @inline(never)  // A function of its own, which `Benchmarks/profile` counts.
  package mutating func append(
    kind: Kind, session: Name, transition: UnsafeRawBufferPointer, pair: PairText, limit: Int,
    epochTime: Int = 0, now: Int = 0
  ) {
    let isKept =
      // Unsafe: copied at once.
      unsafe keep(kind, session, transition, pair, limit, epochTime, now)
      || keep(kind, session, transition, .none, limit, epochTime, now)
      || keep(kind, session, .nothing, .none, limit, epochTime, now)
    precondition(isKept, "a ring has room for a session's name")
  }

  /// Keeps an event with these parts; returns false, and keeps nothing, where there is no room for it.
  private mutating func keep(
    _ kind: Kind, _ session: Name, _ transition: UnsafeRawBufferPointer, _ pair: PairText,
    _ limit: Int, _ epochTime: Int, _ now: Int
  ) -> Bool {
    // Unsafe: only the lengths are read.
    let record = unsafe Record(
      sequence: lastSequence + 1, kind: kind, time: now, epochTime: epochTime,
      sessionBytes: session.bytes.count, transitionBytes: transition.count,
      pairBytes: pair.byteCount, holdsPasteboard: pair.holdsPasteboard)
    guard record.paddedBytes <= capacity else { return false }
    guard makeRoom(for: record.paddedBytes, limit: limit) else { return false }
    // Unsafe: the memory is mapped twice, so that a record has room from any offset on.
    let place = unsafe records + head % capacity
    // The padding must not be text of an older event.
    unsafe place.storeBytes(of: 0, toByteOffset: record.paddedBytes - 8, as: UInt64.self)
    unsafe pair.copy(to: transition.copy(to: session.bytes.copy(to: place + Record.headerBytes)))
    unsafe publish(record, of: session, at: place)
    return true
  }

  /// Whether the next event can be kept without dropping events after number `sequence`; where it can, its memory is
  /// charged.
  ///
  /// - Parameters:
  ///   - bytes: The length of the event's name, transition and pair together.
  ///   - sequence: A number, at most the last event's.
  ///   - limit: How many events may be kept.
  /// - Returns: Whether it can; `false` where an event after number `sequence` is dropped already.
  package mutating func hasRoom(for bytes: Int, besideEventsAfter sequence: Int, limit: Int) -> Bool
  {
    let index = sequence + 1 - firstSequence
    guard index < places.count else { return true }
    guard index >= 0, places.count - index < limit else { return false }
    let bytes = Record.paddedBytes(holding: bytes)
    return head + bytes - places[index].position <= capacity && tryCharge(for: bytes)
  }

  /// Drops the oldest events until there is room for a record of `bytes` among `limit`; returns whether the account
  /// has room for it, too.
  private mutating func makeRoom(for bytes: Int, limit: Int) -> Bool {
    var isMoved = false
    while let oldest = places.first,
      places.count >= max(limit, 1) || head + bytes - oldest.position > capacity
    {
      dropFirst()
      isMoved = true
    }
    if isMoved { publishTail() }
    return charge(for: bytes)
  }

  /// Keeps, in an empty ring, a forgotten event as the last one, with that number.
  private mutating func keepNumber(_ sequence: Int) {
    lastSequence = sequence - 1
    // Unsafe: no bytes.
    unsafe append(
      kind: .unchanged, session: Name(.nothing), transition: .nothing, pair: .none, limit: 1)
    forgetEvent(at: 0)
  }

  /// Removes the oldest event from `places`; `publishTail` is to follow.
  mutating func dropFirst() {
    let oldest = places.removeFirst()
    if oldestDroppedTime == nil { oldestDroppedTime = oldest.time }
    // Unsafe: the oldest record that the ring holds.
    if forgottenCount > 0, unsafe KeptEvent(at: records + oldest.position % capacity).isForgotten {
      forgottenCount -= 1
    }
  }

  /// Stores the position of the oldest kept record in the header; before that, where none is kept, the last number.
  func publishTail() {
    // Unsafe: the header's own word.
    if places.isEmpty {
      unsafe header.storeBytes(
        of: UInt64(lastSequence), toByteOffset: Layout.sequenceOffset, as: UInt64.self)
    }
    // Sequentially consistent: no byte of the next record may be written before the tail.
    // Unsafe: the header's own word.
    unsafe published(Layout.tailOffset).pointee.store(
      UInt64(places.first?.position ?? head), ordering: .sequentiallyConsistent)
  }

  /// Completes a record whose other bytes are written, and makes it the last one.
  private mutating func publish(
    _ record: Record, of session: Name, at place: UnsafeMutableRawPointer
  ) {
    // Unsafe: there is room for the record at the place.
    unsafe record.writeHeader(to: place)
    add(
      Place(position: head, nameHash: session.hash, time: record.time),
      sequence: record.sequence)
    head += record.paddedBytes
    lastSequence = record.sequence
    // Releasing: the record's bytes are written before the head.
    unsafe published(Layout.headOffset).pointee.store(UInt64(head), ordering: .releasing)
  }

  /// Adds a record to `places` as the last one, linked to the one before it in its group.
  private mutating func add(_ place: Place, sequence: Int) {
    var place = place
    place.previous = latest[place.group]
    latest[place.group] = sequence
    places.append(place)
  }

  /// The word at that offset of the header.
  private func published(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    // Unsafe: eight bytes of the header, aligned.
    unsafe (header + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}

// MARK: - Taking over

extension EventRing {
  /// A position or a number beyond this is damaged: adding to it could overflow.
  private static let mostEver = Int.max / 2

  /// Reads the records that an earlier process left, verifies each, and erases the forgotten ones again.
  private mutating func adoptRecords(now: Int) throws(KeptMemoryError) {
    // Unsafe: the header's own words.
    let tail = unsafe header.load(fromByteOffset: Layout.tailOffset, as: UInt64.self)
    let head = unsafe header.load(fromByteOffset: Layout.headOffset, as: UInt64.self)
    guard tail <= head, head <= EventRing.mostEver, head - tail <= capacity,
      tail % 8 == 0, head % 8 == 0
    else {
      throw .damaged("its ends contradict each other")
    }
    var position = Int(tail)
    while position < head {
      // Unsafe: the memory is mapped twice, so that a header is whole at any offset.
      let place = unsafe records + position % capacity
      let record = unsafe Record(readingHeaderAt: place)
      let isForgotten = unsafe record.isForgotten(at: place)
      guard position + record.paddedBytes <= head, unsafe isForgotten || record.isWhole(at: place)
      else {
        throw .damaged("a record does not match its checksum")
      }
      guard 1...EventRing.mostEver ~= record.sequence,
        places.isEmpty || record.sequence == lastSequence + 1
      else {
        throw .damaged("its records are not in sequence")
      }
      // A time later than now is of an earlier boot, 0 is unknown, and none is negative: the event's age counts from now.
      let time = record.time > 0 ? min(record.time, now) : now
      if isForgotten {
        unsafe record.eraseContents(at: place)
        forgottenCount += 1
        places.append(Place(position: position, nameHash: 0, time: time))
      } else {
        let name = unsafe KeptEvent(at: place).session
        unsafe add(
          Place(position: position, nameHash: EventRing.hash(name), time: time),
          sequence: record.sequence)
      }
      lastSequence = record.sequence
      position += record.paddedBytes
    }
    self.head = position
    erasedUpTo = position - capacity
    eraseFreeRoom()
    guard places.isEmpty else { return }
    // Unsafe: the header's own word.
    let sequence = unsafe header.load(fromByteOffset: Layout.sequenceOffset, as: UInt64.self)
    guard sequence <= EventRing.mostEver else { throw .damaged("its last number is too high") }
    if sequence > 0 { keepNumber(Int(sequence)) }
  }
}
