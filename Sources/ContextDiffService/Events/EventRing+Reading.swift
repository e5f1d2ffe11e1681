internal import DequeModule

// Which events a ring keeps.

extension EventRing {
  /// Whether each kept event is a forgotten one, or none is kept.
  package var isEmpty: Bool { count == forgottenCount }

  /// How many events are kept, the forgotten ones among them.
  package var count: Int { places.count }

  /// The number of the oldest event that is kept; `lastSequence + 1` where none is.
  package var firstSequence: Int { lastSequence - places.count + 1 }

  /// Calls `body` with each kept event after number `sequence`, the oldest first, until it returns false.
  ///
  /// - Complexity: O(1) to find the first event.
  package func forEach(after sequence: Int, _ body: (KeptEvent) -> Bool) {
    guard sequence < lastSequence else { return }
    for index in max(0, sequence + 1 - firstSequence)..<places.count {
      guard body(event(at: index)) else { return }
    }
  }

  /// How many bytes the kept events after number `sequence` take in the ring.
  func byteCount(after sequence: Int) -> Int {
    guard sequence < lastSequence else { return 0 }
    return head - places[max(0, sequence + 1 - firstSequence)].position
  }

  /// The event at that index of `places`.
  func event(at index: Int) -> KeptEvent {
    // Unsafe: a record that the ring holds.
    unsafe KeptEvent(
      at: records + places[index].position % capacity, nameHash: places[index].nameHash)
  }
}
