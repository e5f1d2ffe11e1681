/// The bytes that wait to be sent to a client, and its user's charge for them.
final class Output {
  private let waiting = WipedBytes()
  private var charge: VarlinkCharge
  /// How many bytes may wait before the output is full.
  var highWater: Int {
    didSet { updateFullness() }
  }
  /// Whether the output is full: more than `highWater` bytes waited, and more than half of `highWater` still do.
  ///
  /// A full output takes more bytes all the same; its user is to stop producing them.
  private(set) var isFull = false
  /// How many bytes have been sent.
  private(set) var sentBytes = 0

  /// An empty output.
  init(highWater: Int, account: (any VarlinkAccount)?) {
    self.highWater = highWater
    charge = VarlinkCharge(to: account, of: .queued)
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// All bytes that wait, the oldest first, valid until the next change.
  // Unsafe: valid as documented above.
  var bytes: UnsafeRawBufferPointer { unsafe waiting.bytes }

  /// Adds a copy of `bytes`.
  ///
  /// Returns `false`, with nothing changed, where the account has no room for them.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard charge.set(waiting.capacity(with: bytes.count)) else { return false }
    // Unsafe: copied at once.
    unsafe waiting.append(bytes)
    updateFullness()
    return true
  }

  /// Removes the first `count` bytes, which have been sent.
  ///
  /// Returns whether the output was full and is not any more.
  func sent(_ count: Int) -> Bool {
    waiting.removeFirst(count)
    sentBytes &+= count
    return shrunk()
  }

  /// Removes all bytes.
  func removeAll() {
    waiting.removeAll()
    _ = shrunk()
  }

  /// Releases the charge for memory that is freed, and returns whether the output was full and is not any more.
  private func shrunk() -> Bool {
    // A smaller charge is never refused.
    _ = charge.set(waiting.capacity)
    let wasFull = isFull
    updateFullness()
    return wasFull && !isFull
  }

  /// Sets `isFull` by how many bytes wait.
  private func updateFullness() {
    isFull = waiting.count > (isFull ? highWater / 2 : highWater)
  }
}
