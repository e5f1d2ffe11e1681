import Testing
import Varlink

@Suite struct WipedBytesTests {
  /// A queue that is never empty, as that of a peer who reads more slowly than is sent.
  @Test(arguments: [10_000, 200_000])
  func whatIsTakenAwayAtTheBeginningMakesRoomAtTheEnd(held: Int) {
    let queue = WipedBytes()
    var (sent, taken) = (0, 0)
    func append(_ count: Int) {
      let bytes = (sent..<sent + count).map { UInt8(truncatingIfNeeded: $0) }
      bytes.withUnsafeBytes { queue.append($0) }
      sent += count
    }
    append(held)
    for _ in 0..<1_000 {
      append(997)
      queue.removeFirst(997)
      taken += 997
      #expect(queue.count == held && queue.capacity <= 4 * held)
      #expect(queue.bytes.first == UInt8(truncatingIfNeeded: taken))
      #expect(queue.bytes.last == UInt8(truncatingIfNeeded: sent - 1))
    }
    queue.removeFirst(held)
    #expect(queue.isEmpty && queue.capacity == 0)
  }

  /// As in front of the half of a frame whose other half never comes.
  @Test(arguments: [1_000, 100_000])
  func whatIsTakenAwayIsOverwrittenThoughMoreStandsBehindIt(held: Int) throws {
    let queue = WipedBytes()
    Array(repeating: 7 as UInt8, count: held).withUnsafeBytes { queue.append($0) }
    for taken in [held / 4, held / 2] {
      queue.removeFirst(held / 4)
      // The queue's own memory, in which the bytes have not moved.
      let start = try #require(queue.bytes.baseAddress) - taken
      #expect(UnsafeRawBufferPointer(start: start, count: taken).allSatisfy { $0 == 0 })
      #expect(queue.count == held - taken && queue.bytes.allSatisfy { $0 == 7 })
    }
  }

  /// What a queue takes is what its owner pays for.
  @Test func memoryGoesWithWhatIsTakenAwayAndIsToldBeforeItIsTaken() {
    let queue = WipedBytes()
    for count in [3, 300, 70_000, 2_000_000] {
      let capacity = queue.capacity(with: count)
      Array(repeating: 7 as UInt8, count: count).withUnsafeBytes { queue.append($0) }
      #expect(queue.capacity == capacity)
    }
    while queue.count > 1 {
      queue.removeFirst(min(9_973, queue.count - 1))
      #expect(queue.capacity <= max(65_536, 4 * queue.count), "\(queue.count)")
      #expect(queue.bytes.allSatisfy { $0 == 7 })
    }
  }
}
