extension Contest {
  /// The kinds outside of `winner`'s family that the pair may be, likeliest first: those that are no coincidence
  /// beside it or, where only all of them together are none, the likeliest; and the look-alikes.
  ///
  /// A tap elsewhere can show any text, so it always agrees; the more text the new window shows, the less it weighs.
  mutating func alternatives(
    to winner: Hypothesis, for pair: Pair
  ) -> [Kind] {
    var others = agreed.subtracting(KindSet(familyOf: winner.kind))
    others.remove(KindSet(.outOfRangeTap))
    var named: KindSet = []
    // The likelihood, relative to the winner's, of all kinds too unlikely to be named, and the likeliest of them.
    var unnamed = 0.0
    var heaviest = -Double.infinity
    var next: KindSet = []
    for slot in weights.indices {
      let kind = KindSet(rawValue: 1 &<< UInt32(slot))
      if !others.contains(kind) { continue }
      let behind = weights[slot] - winner.weight
      if behind > Measured.coincidence {
        named.insert(kind)
      } else {
        unnamed += Contest.share(ofBits: behind)
        if behind > heaviest { (heaviest, next) = (behind, kind) }
      }
    }
    if named.isEmpty, unnamed > Contest.share(ofBits: Measured.coincidence) { named = next }
    named = withLookAlikes(of: winner, for: pair, named)
    if !excludesElsewhere, winner.kind != .outOfRangeTap,
      weights[Kind.outOfRangeTap.slot] > winner.weight + Measured.coincidence
    {
      named.insert(KindSet(.outOfRangeTap))
    }
    return ordered(named, for: pair)
  }

  /// 2 to the power of `bits`, interpolated linearly between whole powers; 0 where that is negligible.
  private static func share(ofBits bits: Double) -> Double {
    if bits < Measured.negligible { return 0 }
    let whole = bits.rounded(.down)
    return Double(sign: .plus, exponent: Int(whole), significand: 1 + bits - whole)
  }

  /// `kinds`, likeliest first; those that nothing proposed come last, in the order of `Kind.allCases`.
  private mutating func ordered(_ kinds: KindSet, for pair: Pair) -> [Kind] {
    if kinds.isEmpty { return [] }
    if kinds.rawValue.nonzeroBitCount == 1 {
      return Kind.alone[kinds.rawValue.trailingZeroBitCount]
    }
    var weights = weights
    if kinds.contains(KindSet(.outOfRangeTap)) {
      weights[Kind.outOfRangeTap.slot] = weightElsewhere(for: pair)
    }
    return Kind.allCases.filter { kinds.contains(KindSet($0)) }
      .sorted { weights[$0.slot] > weights[$1.slot] }
  }
}

extension Kind {
  /// An array of each kind alone, by slot; made once, because most pairs have one alternative at most.
  fileprivate static let alone: [[Kind]] = allCases.map { [$0] }
}
