package import ContextDiff
internal import Glibc
internal import Synchronization

extension EventRing {
  /// What stands before an event's bytes in the ring: a checksum over all that follows it, then
  /// number, kind, lengths and time.
  ///
  /// A forgotten one has another checksum, over the rest of this header alone, and zeros behind it.
  ///
  /// A record starts at a multiple of eight bytes.
  struct Record {
    static let headerBytes = 40

    let sequence: Int
    /// When it was kept, in microseconds of the monotonic clock; 0 where that is not known.
    let time: Int
    let kindSlot: UInt32
    let sessionBytes: Int
    let coreBytes: Int
    let pairBytes: Int
    /// Whether the pasteboard's text is among what the pair adds.
    let holdsPasteboard: Bool

    /// The bit beside the kind that says so.
    private static let pasteboardBit: UInt32 = 1 << 31

    init(
      sequence: Int, kind: Kind, time: Int, sessionBytes: Int, coreBytes: Int, pairBytes: Int,
      holdsPasteboard: Bool
    ) {
      self.sequence = sequence
      self.time = time
      kindSlot = UInt32(kind.slot)
      self.holdsPasteboard = holdsPasteboard
      self.sessionBytes = sessionBytes
      self.coreBytes = coreBytes
      self.pairBytes = pairBytes
    }

    /// The lengths may be anything where the memory is damaged: `isWhole` tells.
    init(readingHeaderAt place: UnsafeRawPointer) {
      // Unsafe: a record's header, all of it, is at the place.
      sequence = unsafe Int(truncatingIfNeeded: place.load(fromByteOffset: 8, as: UInt64.self))
      let kind = unsafe place.load(fromByteOffset: 16, as: UInt32.self)
      kindSlot = kind & ~Record.pasteboardBit
      holdsPasteboard = kind != kindSlot
      sessionBytes = unsafe Int(place.load(fromByteOffset: 20, as: UInt32.self))
      coreBytes = unsafe Int(place.load(fromByteOffset: 24, as: UInt32.self))
      pairBytes = unsafe Int(place.load(fromByteOffset: 28, as: UInt32.self))
      time = unsafe Int(truncatingIfNeeded: place.load(fromByteOffset: 32, as: UInt64.self))
    }

    private var bytes: Int { Record.headerBytes + sessionBytes + coreBytes + pairBytes }
    var paddedBytes: Int { Record.paddedBytes(holding: sessionBytes + coreBytes + pairBytes) }

    /// What a record takes that holds so many bytes.
    static func paddedBytes(holding bytes: Int) -> Int { (headerBytes + bytes + 7) & ~7 }

    /// Completes the record whose other bytes are written behind `place`.
    func writeHeader(to place: UnsafeMutableRawPointer) {
      // Unsafe: there is room for the header at the place.
      unsafe place.storeBytes(of: UInt64(sequence), toByteOffset: 8, as: UInt64.self)
      unsafe place.storeBytes(
        of: holdsPasteboard ? kindSlot | Record.pasteboardBit : kindSlot, toByteOffset: 16,
        as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(sessionBytes), toByteOffset: 20, as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(coreBytes), toByteOffset: 24, as: UInt32.self)
      unsafe place.storeBytes(of: UInt32(pairBytes), toByteOffset: 28, as: UInt32.self)
      unsafe place.storeBytes(of: UInt64(time), toByteOffset: 32, as: UInt64.self)
      unsafe place.storeBytes(of: checksum(at: place), as: UInt64.self)
    }

    func isWhole(at place: UnsafeRawPointer) -> Bool {
      // Unsafe: the record is at the place.
      unsafe isKindKnown && place.load(as: UInt64.self) == checksum(at: place)
    }

    /// Whether the record at `place` was forgotten, be it that the process was killed before all of
    /// it was erased.
    func isForgotten(at place: UnsafeRawPointer) -> Bool {
      // Unsafe: as above.
      unsafe isKindKnown && place.load(as: UInt64.self) == forgottenChecksum(at: place)
    }

    private var isKindKnown: Bool { Kind.bySlot.indices.contains(Int(kindSlot)) }

    private func checksum(at place: UnsafeRawPointer) -> UInt64 {
      // Unsafe: the record's header behind its checksum.
      unsafe ContextDiffService.checksum(UnsafeRawBufferPointer(start: place + 8, count: bytes - 8))
    }

    private func forgottenChecksum(at place: UnsafeRawPointer) -> UInt64 {
      // The complement, for the sum of a record without contents is over the same bytes.
      // Unsafe: as above.
      unsafe ~ContextDiffService.checksum(
        UnsafeRawBufferPointer(start: place + 8, count: Record.headerBytes - 8))
    }

    /// Makes the whole record at `place` a forgotten one.
    func forget(at place: UnsafeMutableRawPointer) {
      // Sequentially consistent: no byte of the contents may change before this.
      // Unsafe: the checksum's eight bytes, aligned as every record is.
      unsafe place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
        forgottenChecksum(at: place), ordering: .sequentiallyConsistent)
      unsafe eraseContents(at: place)
    }

    /// Makes zeros of all behind the header.
    func eraseContents(at place: UnsafeMutableRawPointer) {
      // Unsafe: the record's own contents.
      unsafe memset(place + Record.headerBytes, 0, paddedBytes - Record.headerBytes)
    }
  }

  /// An event in the ring: a view, valid until the next one is appended or any is forgotten.
  ///
  /// Safe: it is made of a record that the ring holds. That it is not used longer, who asks the ring for
  /// it answers for.
  @safe package struct KeptEvent {
    private let record: Record
    private let place: UnsafeRawPointer
    /// Whether its session was forgotten: its number and kind are all that is left of it.
    package let isForgotten: Bool

    /// Of its session's name, as `EventRing.hash` has it.
    let nameHash: Int

    init(at place: UnsafeRawPointer, nameHash: Int = 0) {
      self.nameHash = nameHash
      // Unsafe: the place is a record's.
      record = unsafe Record(readingHeaderAt: place)
      unsafe self.place = place
      isForgotten = unsafe record.isForgotten(at: place)
    }

    /// Its number.
    package var sequence: Int { record.sequence }
    /// What happened.
    package var kind: Kind { Kind.bySlot[Int(record.kindSlot)] }
    /// Whether it cannot be told, because it is larger than the ring or was forgotten.
    package var isOmitted: Bool { record.coreBytes == 0 || isForgotten }
    /// The session posted to, in UTF-8; here and below zeros where it was forgotten.
    // Unsafe: the parts that the header counts; valid as long as the ring keeps the event.
    package var session: UnsafeRawBufferPointer { unsafe part(0, record.sessionBytes) }
    /// The event's JSON object without its snapshots and without its closing brace.
    package var core: UnsafeRawBufferPointer { unsafe part(record.sessionBytes, record.coreBytes) }
    /// The members that the snapshots add to it.
    package var pair: UnsafeRawBufferPointer {
      // Unsafe: as above.
      unsafe part(record.sessionBytes + record.coreBytes, record.pairBytes)
    }

    /// The same without the pasteboard's text: what stands before it, and behind.
    package var pairWithoutPasteboard: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) {
      let pair = unsafe pair
      guard record.holdsPasteboard, let start = unsafe pair.firstRange(of: KeptEvent.pasteboardName)
      else { return unsafe (pair, .nothing) }
      // A string, in which a quote stands behind a backslash.
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

    /// In a string a quote would stand behind a backslash, and no other object in the pair has a member of
    /// that name.
    private static let pasteboardName: StaticString = #","pasteboard":""#

    private func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
      // Unsafe: within the record.
      unsafe UnsafeRawBufferPointer(start: place + Record.headerBytes + offset, count: count)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Where `text` stands in it first.
  fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
    guard let baseAddress else { return nil }
    let length = text.utf8CodeUnitCount
    var start = 0
    while start + length <= count {
      // Unsafe: within this, and the literal, which has as many.
      if unsafe memcmp(baseAddress + start, text.utf8Start, length) == 0 {
        return start..<start + length
      }
      start += 1
    }
    return nil
  }
}
