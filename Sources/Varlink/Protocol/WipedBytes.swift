internal import CLinux
internal import Glibc

/// Bytes in memory of their own, which is overwritten before it is given back: what people type does
/// not stay in what is free.
///
/// What is large has a mapping of its own, which grows without being copied and goes back to the kernel
/// as it is. Bytes can be taken away at the beginning without moving the others.
///
/// Safe: it owns its memory, and what lies between `start` and `end` is initialised.
@safe
package final class WipedBytes {
  private var memory: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  /// None, and no memory.
  package init() {
    unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit { free() }

  /// How many there are.
  package var count: Int { end - start }
  package var isEmpty: Bool { start == end }
  /// How much memory they take, in bytes.
  package var capacity: Int { unsafe memory.count }

  /// The bytes; valid until the next change.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
  }

  /// How much memory they would take with that many more.
  package func capacity(with more: Int) -> Int {
    capacity - end >= more || hasRoomInFront(for: more) ? capacity : larger(for: more)
  }

  package func append(_ more: UnsafeRawBufferPointer) {
    guard more.count > 0 else { return }
    if capacity - end < more.count { makeRoom(for: more.count) }
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: more)
    end += more.count
  }

  /// Takes away that many at the beginning; the memory too, where none are left, and most of it where few are.
  package func removeFirst(_ count: Int) {
    precondition(count <= self.count, "there are not that many bytes")
    start += count
    if start == end {
      removeAll()
    } else if capacity > WipedBytes.largeCapacity, self.count < capacity / 4 {
      move(to: WipedBytes.rounded(self.count * 3 / 2))
    }
  }

  /// What is larger is given back as soon as little is in it.
  private static let largeCapacity = 1 << 16

  /// Takes all away; a little memory stays, for the next ones.
  package func removeAll() {
    if unsafe memory.count > 4096 {
      free()
      unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    } else {
      unsafe clinux_wipe(memory.baseAddress, end)
    }
    start = 0
    end = 0
  }

  private func makeRoom(for more: Int) {
    // What is taken away leaves room too; moving costs no more than was taken away before.
    if hasRoomInFront(for: more) {
      moveToFront()
    } else {
      move(to: larger(for: more))
    }
  }

  private func hasRoomInFront(for more: Int) -> Bool {
    count + more <= capacity && start >= capacity / 2
  }

  /// How much memory is taken where there is no room for that many more.
  private func larger(for more: Int) -> Int {
    // What grows again is to be moved seldom; most do not.
    WipedBytes.rounded(max(256, capacity == 0 ? more : (count + more) * 3 / 2))
  }

  /// Where it has a mapping, all of its last page.
  private static func rounded(_ capacity: Int) -> Int {
    capacity > largeCapacity ? (capacity + 4095) & ~4095 : capacity
  }

  private func moveToFront() {
    if start == 0 { return }
    let count = count
    unsafe memory.copyMemory(from: bytes)
    unsafe clinux_wipe(memory.baseAddress.map { unsafe $0 + count }, end - count)
    start = 0
    end = count
  }

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

  private static func mapping(
    _ memory: UnsafeMutableRawBufferPointer, _ capacity: Int
  ) -> UnsafeMutableRawBufferPointer {
    guard let start = unsafe clinux_map(memory.baseAddress, memory.count, capacity) else {
      // As where `allocate` has none.
      fatalError("no memory for \(capacity) bytes: errno \(errno)")
    }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: capacity)
  }

  private func free() {
    if capacity > WipedBytes.largeCapacity {
      unsafe munmap(memory.baseAddress, memory.count)
    } else {
      unsafe clinux_wipe(memory.baseAddress, end)
      unsafe memory.deallocate()
    }
  }
}
