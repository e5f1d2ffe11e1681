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
