package import ContextDiff
internal import Glibc
internal import Synchronization

extension EventRing {
  /// The header of an event in the ring: a checksum of all that follows it, then number, kind, lengths and times.
  ///
  /// Behind it come the session's name, the transition and the pair (`KeptEvent`). A forgotten record has another
  /// checksum, over the rest of the header alone, and zeros behind the header. A record starts at a multiple of eight
  /// bytes.
  struct Record {
    static let headerBytes = 48

    let sequence: Int
    /// When it was kept, in microseconds of the monotonic clock; 0 where that is not known.
    let time: Int
    /// When it was reported, in microseconds since the epoch.
    let epochTime: Int
    /// The kind's index in `Kind.bySlot`; any number where the memory is damaged.
    let kindSlot: UInt32
    let sessionBytes: Int
    let transitionBytes: Int
    let pairBytes: Int
    /// Whether the pair has the member `pasteboard`.
    let holdsPasteboard: Bool

    /// The bit of the kind's word that stands for `holdsPasteboard`.
    private static let pasteboardBit: UInt32 = 1 << 31

    init(
      sequence: Int, kind: Kind, time: Int, epochTime: Int, sessionBytes: Int,
      transitionBytes: Int, pairBytes: Int, holdsPasteboard: Bool
    ) {
      self.sequence = sequence
      self.time = time
      self.epochTime = epochTime
      kindSlot = UInt32(kind.slot)
      self.holdsPasteboard = holdsPasteboard
      self.sessionBytes = sessionBytes
      self.transitionBytes = transitionBytes
      self.pairBytes = pairBytes
    }

    /// Reads the header at `place`; where the memory is damaged the values are arbitrary, which `isWhole` detects.
    init(readingHeaderAt place: UnsafeRawPointer) {
      // Unsafe: a record's header, all of it, is at the place.
      sequence = unsafe Int(truncatingIfNeeded: place.load(fromByteOffset: 8, as: UInt64.self))
      let kind = unsafe place.load(fromByteOffset: 16, as: UInt32.self)
      kindSlot = kind & ~Record.pasteboardBit
      holdsPasteboard = kind != kindSlot
      sessionBytes = unsafe Int(place.load(fromByteOffset: 20, as: UInt32.self))
      transitionBytes = unsafe Int(place.load(fromByteOffset: 24, as: UInt32.self))
      pairBytes = unsafe Int(place.load(fromByteOffset: 28, as: UInt32.self))
      time = unsafe Int(truncatingIfNeeded: place.load(fromByteOffset: 32, as: UInt64.self))
      epochTime = unsafe Int(truncatingIfNeeded: place.load(fromByteOffset: 40, as: UInt64.self))
    }

    /// How long the record is, without padding.
    private var bytes: Int { Record.headerBytes + sessionBytes + transitionBytes + pairBytes }
    /// How many bytes the record takes in the ring: a multiple of eight.
    var paddedBytes: Int { Record.paddedBytes(holding: sessionBytes + transitionBytes + pairBytes) }

    /// How many bytes a record takes in the ring that has `bytes` behind its header.
    static func paddedBytes(holding bytes: Int) -> Int { (headerBytes + bytes + 7) & ~7 }

    /// Writes the header to `place`; the bytes behind it must be written already, since the checksum covers them.
    func writeHeader(to place: UnsafeMutableRawPointer) {
      // Unsafe: there is room for the header at the place.
      unsafe place.storeBytes(of: UInt64(sequence), toByteOffset: 8, as: UInt64.self)
      unsafe place.storeBytes(
        of: holdsPasteboard ? kindSlot | Record.pasteboardBit : kindSlot, toByteOffset: 16,
        as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(sessionBytes), toByteOffset: 20, as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(transitionBytes), toByteOffset: 24, as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(pairBytes), toByteOffset: 28, as: UInt32.self)
      unsafe place.storeBytes(of: UInt64(time), toByteOffset: 32, as: UInt64.self)
      unsafe place.storeBytes(
        of: UInt64(bitPattern: Int64(epochTime)), toByteOffset: 40, as: UInt64.self)
      unsafe place.storeBytes(of: checksum(at: place), as: UInt64.self)
    }

    /// Whether the record at `place`, whose header this is, matches its checksum.
    func isWhole(at place: UnsafeRawPointer) -> Bool {
      // Unsafe: the record is at the place.
      unsafe isKindKnown && place.load(as: UInt64.self) == checksum(at: place)
    }

    /// Whether the record at `place` was forgotten, also where the process was killed before its contents were erased.
    func isForgotten(at place: UnsafeRawPointer) -> Bool {
      // Unsafe: the record is at the place.
      unsafe isKindKnown && place.load(as: UInt64.self) == forgottenChecksum(at: place)
    }

    private var isKindKnown: Bool { Kind.bySlot.indices.contains(Int(kindSlot)) }

    private func checksum(at place: UnsafeRawPointer) -> UInt64 {
      // Unsafe: the record's header behind its checksum.
      unsafe ContextDiffService.checksum(UnsafeRawBufferPointer(start: place + 8, count: bytes - 8))
    }

    private func forgottenChecksum(at place: UnsafeRawPointer) -> UInt64 {
      // Complemented, because the checksum of a whole record without contents covers the same bytes.
      // Unsafe: the record's header behind its checksum.
      unsafe ~ContextDiffService.checksum(
        UnsafeRawBufferPointer(start: place + 8, count: Record.headerBytes - 8))
    }

    /// Makes the record at `place` a forgotten one, and erases its contents.
    func forget(at place: UnsafeMutableRawPointer) {
      // Sequentially consistent: no byte of the contents may change before the checksum does.
      // Unsafe: the checksum's eight bytes, aligned as every record is.
      unsafe place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
        forgottenChecksum(at: place), ordering: .sequentiallyConsistent)
      unsafe eraseContents(at: place)
    }

    /// Overwrites all behind the header with zeros.
    func eraseContents(at place: UnsafeMutableRawPointer) {
      // Unsafe: the record's own contents.
      unsafe memset(place + Record.headerBytes, 0, paddedBytes - Record.headerBytes)
    }
  }

  /// A view of an event in the ring, valid until the next event is appended or any is forgotten.
  ///
  /// `@safe`: it is made of a record that the ring holds; whoever gets one must not use it longer.
  @safe package struct KeptEvent {
    private let record: Record
    private let place: UnsafeRawPointer
    /// Whether the event was forgotten: only its number, its kind and its lengths are left.
    package let isForgotten: Bool

    /// The hash of the session's name (`EventRing.hash`); 0 where it is not known.
    let nameHash: Int

    init(at place: UnsafeRawPointer, nameHash: Int = 0) {
      self.nameHash = nameHash
      // Unsafe: the place is a record's.
      record = unsafe Record(readingHeaderAt: place)
      unsafe self.place = place
      isForgotten = unsafe record.isForgotten(at: place)
    }

    /// The number of the event.
    package var sequence: Int { record.sequence }
    /// When it was reported, in microseconds since the epoch.
    var epochTime: Int { record.epochTime }
    /// What happened.
    package var kind: Kind { Kind.bySlot[Int(record.kindSlot)] }
    /// Whether subscribers cannot be sent it, because its transition was too large for the ring, or it was forgotten.
    package var isOmitted: Bool { record.transitionBytes == 0 || isForgotten }
    /// The name of the session posted to, in UTF-8; zeros where the event was forgotten, as the parts below.
    // Unsafe: the parts that the header counts; valid as long as the ring keeps the event.
    package var session: UnsafeRawBufferPointer { unsafe part(0, record.sessionBytes) }
    /// The transition's JSON; empty where it was too large.
    package var transition: UnsafeRawBufferPointer {
      // Unsafe: the part that the header counts, valid as long as the ring keeps the event.
      unsafe part(record.sessionBytes, record.transitionBytes)
    }
    /// The members that the pair adds to the event's object, each behind a comma; empty where they were too large.
    package var pair: UnsafeRawBufferPointer {
      // Unsafe: the part that the header counts, valid as long as the ring keeps the event.
      unsafe part(record.sessionBytes + record.transitionBytes, record.pairBytes)
    }

    /// The pair without the member `pasteboard`, as what stands before that member and what stands behind it.
    var pairWithoutPasteboard: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) {
      let pair = unsafe pair
      guard record.holdsPasteboard, let start = unsafe pair.firstRange(of: KeptEvent.pasteboardName)
      else { return unsafe (pair, .nothing) }
      // The value is a string, in which a quotation mark stands behind a backslash.
      var end = start.upperBound
      while end < pair.count, unsafe pair[end] != 0x22 {
        end += unsafe pair[end] == 0x5C ? 2 : 1
      }
      // Unsafe: parts of the pair.
      return unsafe (
        UnsafeRawBufferPointer(rebasing: pair[..<start.lowerBound]),
        UnsafeRawBufferPointer(rebasing: pair[min(end + 1, pair.count)...])
      )
    }

    /// The beginning of the member `pasteboard`.
    ///
    /// The first occurrence in a pair is the member: in a string these quotation marks would stand behind backslashes,
    /// and no other object in the pair has a member of that name.
    private static let pasteboardName: StaticString = #","pasteboard":""#

    private func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
      // Unsafe: the part is within the record.
      unsafe UnsafeRawBufferPointer(start: place + Record.headerBytes + offset, count: count)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The range of the first occurrence of `text`; `nil` where there is none.
  fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
    guard let baseAddress else { return nil }
    let length = text.utf8CodeUnitCount
    var start = 0
    while start + length <= count {
      // Unsafe: `length` bytes are left from `start` on, and the literal has as many.
      if unsafe memcmp(baseAddress + start, text.utf8Start, length) == 0 {
        return start..<start + length
      }
      start += 1
    }
    return nil
  }
}
