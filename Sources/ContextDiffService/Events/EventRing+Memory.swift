// What a ring takes of its user's memory: the pages that were written to and not given back since.

extension EventRing {
  /// Has `account` charged with what the ring takes from now on.
  ///
  /// - Returns: Whether the account has room for the least that a ring takes.
  package mutating func charge(to account: Account) -> Bool {
    var charge = account.charge(.events)
    guard charge.resize(to: EventRing.leastCharge) else { return false }
    memoryCharge = consume charge
    // Of what was taken over, as much stays as there is room for.
    _ = self.charge(for: 0)
    return true
  }

  /// The header, an event without contents, and what is charged at once.
  private static let leastCharge = 16 << 10

  /// Charges the room for the next `bytes`, and lets go of the oldest events where the account has
  /// none left; the last one stays, whose number the next one's follows from.
  ///
  /// - Returns: Whether there is room; always for a record that fits into a page.
  mutating func charge(for bytes: Int) -> Bool {
    if tryCharge(for: bytes) { return true }
    eraseFreeRoom()
    while !tryCharge(for: bytes) {
      guard places.count > 1 else { return bytes <= Layout.headerBytes }
      dropHalf()
    }
    return true
  }

  /// Lets go of the oldest events until the ring takes `limit` bytes at most, as far as it can.
  package mutating func shrink(to limit: Int) {
    eraseFreeRoom()
    while places.count > 1, touched(with: 0) > limit { dropHalf() }
    _ = tryCharge(for: 0)
  }

  /// Of several events, the last one stays.
  private mutating func dropHalf() { drop(first: places.count / 2) }

  /// Whether the account has room for the next `bytes`, which are charged then.
  mutating func tryCharge(for bytes: Int) -> Bool {
    let bytes = touched(with: bytes)
    return memoryCharge?.resize(to: bytes) ?? true
  }

  /// The memory that it takes with `bytes` more, in whole steps: from where nothing is left of what
  /// was let go of to the end, and the header.
  private func touched(with bytes: Int) -> Int {
    let step = EventRing.leastCharge
    let records = min(capacity, head + bytes - erasedUpTo) + Layout.headerBytes
    return max(step, (records + step - 1) / step * step)
  }
}
