// The memory of a ring that its user is charged with: the pages that were written to and not given back to the kernel.

extension EventRing {
  /// Charges `account` with the memory that the ring takes, now and from now on.
  ///
  /// Where the account has too little room for the kept events, the oldest are dropped.
  ///
  /// - Parameter account: The user's account.
  /// - Returns: Whether the account has room for the least that a ring takes; false changes nothing.
  package mutating func charge(to account: Account) -> Bool {
    var charge = account.charge(.events)
    guard charge.resize(to: EventRing.leastCharge) else { return false }
    memoryCharge = consume charge
    // Of a ring that was taken over, the oldest events are dropped that there is no room for.
    _ = self.charge(for: 0)
    return true
  }

  /// The least that a ring is charged with, and the step by which the charge grows, in bytes: the header and an event
  /// without contents fit into one.
  private static let leastCharge = 16 << 10

  /// Charges the account with the next `bytes`, and drops the oldest events where it has no room for these.
  ///
  /// The last event stays, since its number is needed for the next one's.
  ///
  /// Returns whether there is room; true for a record that fits into a page, also where it cannot be charged.
  mutating func charge(for bytes: Int) -> Bool {
    if tryCharge(for: bytes) { return true }
    eraseFreeRoom()
    while !tryCharge(for: bytes) {
      guard places.count > 1 else { return bytes <= Layout.headerBytes }
      dropHalf()
    }
    return true
  }

  /// Drops the oldest events until the ring takes at most `limit` bytes, or only the last event is left.
  package mutating func shrink(to limit: Int) {
    eraseFreeRoom()
    while places.count > 1, touched(with: 0) > limit { dropHalf() }
  }

  /// Drops the older half of the events; there must be two or more.
  private mutating func dropHalf() { drop(first: places.count / 2) }

  /// Charges the account with the next `bytes`; returns false where it has no room for them.
  mutating func tryCharge(for bytes: Int) -> Bool {
    let bytes = touched(with: bytes)
    return memoryCharge?.resize(to: bytes) ?? true
  }

  /// The memory that the ring takes with `bytes` more, in whole steps: the header, and all from `erasedUpTo` to the
  /// end of the next `bytes`.
  private func touched(with bytes: Int) -> Int {
    let step = EventRing.leastCharge
    let records = min(capacity, head + bytes - erasedUpTo) + Layout.headerBytes
    return max(step, (records + step - 1) / step * step)
  }
}
