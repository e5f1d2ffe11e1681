/// What waits for a client to read it.
final class Output {
  private let waiting = WipedBytes()
  private var charge: VarlinkCharge
  /// Where more waits, it is full, until less than half as much does.
  var highWater: Int {
    didSet { updateFullness() }
  }
  /// Whether more waits than the client should have waiting.
  private(set) var isFull = false

  /// Nothing waits.
  init(highWater: Int, account: (any VarlinkAccount)?) {
    self.highWater = highWater
    charge = VarlinkCharge(to: account, of: .queued)
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// What is to be sent first; valid until the next change.
  // Unsafe: valid as long as what waits stays the same.
  var bytes: UnsafeRawBufferPointer { unsafe waiting.bytes }

  /// Has bytes wait, copied.
  ///
  /// Whether the account has room for them; where it has not, nothing has changed.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard charge.set(waiting.capacity(with: bytes.count)) else { return false }
    // Unsafe: copied at once.
    unsafe waiting.append(bytes)
    updateFullness()
    return true
  }

  /// Takes away what has been sent.
  ///
  /// Whether it was full and is not any more.
  func sent(_ count: Int) -> Bool {
    waiting.removeFirst(count)
    return shrunk()
  }

  /// Drops all that waits.
  func removeAll() {
    waiting.removeAll()
    _ = shrunk()
  }

  private func shrunk() -> Bool {
    // Less can always be had.
    _ = charge.set(waiting.capacity)
    let wasFull = isFull
    updateFullness()
    return wasFull && !isFull
  }

  private func updateFullness() {
    isFull = waiting.count > (isFull ? highWater / 2 : highWater)
  }
}
