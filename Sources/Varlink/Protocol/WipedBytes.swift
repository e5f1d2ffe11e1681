internal import CLinux
internal import Glibc

/// A queue of bytes that overwrites what is removed, so that what people type does not stay in its memory, nor in free
/// memory.
///
/// More than 64 KiB have a memory mapping of their own, which grows without a copy (mremap(2)) and which the kernel
/// takes back. Removing bytes at the beginning does not move the others.
///
/// Safe: it owns its memory, and the bytes from `start` to `end` are initialised.
@safe
package final class WipedBytes {
  private var memory: UnsafeMutableRawBufferPointer
  /// The offsets in `memory` at which the bytes begin and end; what stood before and behind them is overwritten.
  private var start = 0
  private var end = 0

  /// No bytes, and no memory.
  package init() {
    unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit { free() }

  /// How many bytes are in the queue.
  package var count: Int { end - start }
  package var isEmpty: Bool { start == end }
  /// The size of the memory, in bytes.
  package var capacity: Int { unsafe memory.count }

  /// The bytes, valid until the next change.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
  }

  /// What `capacity` would be after appending `more` bytes.
  package func capacity(with more: Int) -> Int {
    capacity - end >= more || hasRoomInFront(for: more) ? capacity : larger(for: more)
  }

  /// Appends a copy of `more`.
  package func append(_ more: UnsafeRawBufferPointer) {
    guard more.count > 0 else { return }
    if capacity - end < more.count { makeRoom(for: more.count) }
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: more)
    end += more.count
  }

  /// Removes the first `count` bytes, of which there must be as many.
  ///
  /// Frees memory as `removeAll` does where no bytes are left, and a part of a mapping where less than a quarter of it
  /// is in use.
  package func removeFirst(_ count: Int) {
    precondition(count <= self.count, "there are not that many bytes")
    if count == self.count { return removeAll() }
    wipe(start..<start + count)
    start += count
    if capacity > WipedBytes.largeCapacity, self.count < capacity / 4 {
      move(to: WipedBytes.rounded(self.count * 3 / 2))
    }
  }

  /// The most bytes of memory, 64 KiB, that are allocated without a mapping of their own.
  private static let largeCapacity = 1 << 16

  /// Removes all bytes; up to 4 KiB of memory stay, overwritten, for the next ones.
  package func removeAll() {
    if unsafe memory.count > 4096 {
      free()
      unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    } else {
      wipe(start..<end)
    }
    start = 0
    end = 0
  }

  /// Overwrites that part of the memory.
  private func wipe(_ part: Range<Int>) {
    // Unsafe: checked to be a part of the memory.
    let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[part])
    unsafe clinux_wipe(bytes.baseAddress, bytes.count)
  }

  /// Makes room for `more` bytes behind the others.
  private func makeRoom(for more: Int) {
    // Moving to the front copies no more bytes than were removed before it.
    if hasRoomInFront(for: more) {
      moveToFront()
    } else {
      move(to: larger(for: more))
    }
  }

  /// Whether `more` bytes fit once the others are moved to the front of the memory, half of which or more is free
  /// there.
  private func hasRoomInFront(for more: Int) -> Bool {
    count + more <= capacity && start >= capacity / 2
  }

  /// The size of the memory, in bytes, to be taken where there is no room for `more` bytes.
  private func larger(for more: Int) -> Int {
    // The first memory has just the room that is needed, for most queues do not grow again; later ones half as much
    // besides, so that bytes are seldom moved.
    WipedBytes.rounded(max(256, capacity == 0 ? more : (count + more) * 3 / 2))
  }

  /// `capacity`, for a mapping rounded up to whole pages.
  private static func rounded(_ capacity: Int) -> Int {
    capacity > largeCapacity ? (capacity + 4095) & ~4095 : capacity
  }

  /// Moves the bytes to the beginning of the memory, and overwrites what they leave.
  private func moveToFront() {
    if start == 0 { return }
    let count = count
    unsafe memory.copyMemory(from: bytes)
    // What stood before them is overwritten already.
    wipe(max(count, start)..<end)
    start = 0
    end = count
  }

  /// Moves the bytes into memory of `capacity` bytes; a mapping that stays one is only resized.
  private func move(to capacity: Int) {
    if self.capacity > WipedBytes.largeCapacity, capacity > WipedBytes.largeCapacity {
      moveToFront()
      unsafe memory = WipedBytes.mapping(memory, capacity)
      return
    }
    let count = count
    let other = unsafe WipedBytes.allocate(capacity)
    unsafe other.copyMemory(from: bytes)
    free()
    unsafe memory = other
    start = 0
    end = count
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
    if capacity > largeCapacity {
      return unsafe mapping(UnsafeMutableRawBufferPointer(start: nil, count: 0), capacity)
    }
    return .allocate(byteCount: capacity, alignment: 1)
  }

  /// A new mapping of `capacity` bytes or, where `memory` is one, that one resized; ends the program where there is no
  /// memory, as `allocate` does.
  private static func mapping(
    _ memory: UnsafeMutableRawBufferPointer, _ capacity: Int
  ) -> UnsafeMutableRawBufferPointer {
    guard let start = unsafe clinux_map(memory.baseAddress, memory.count, capacity) else {
      fatalError("no memory for \(capacity) bytes: errno \(errno)")
    }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: capacity)
  }

  /// Frees the memory, overwritten unless the kernel takes it back.
  private func free() {
    if capacity > WipedBytes.largeCapacity {
      unsafe munmap(memory.baseAddress, memory.count)
    } else {
      wipe(start..<end)
      unsafe memory.deallocate()
    }
  }
}
