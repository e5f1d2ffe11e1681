/// What else a pair could be, and whether that is no coincidence.
extension Contest {
  /// What else the pair could be than `winner`, likeliest first; nothing where all of it together
  /// weighs no more than a coincidence.
  ///
  /// A tap elsewhere can show any text. That it shows the text which `winner` keeps weighs `scalar` for
  /// each scalar of that: a coincidence where there is enough of it.
  mutating func alternatives(
    to winner: Hypothesis, for pair: borrowing Pair
  ) -> [Kind] {
    var others = agreed.subtracting(KindSet(familyOf: winner.kind))
    others.remove(KindSet(.outOfRangeTap))
    var named: KindSet = []
    // What is too light by itself to be named, beside the winner, and the heaviest of it.
    var unnamed = 0.0
    var heaviest = -Double.infinity
    var next: KindSet = []
    while let slot = others.popFirstSlot() {
      let behind = weights[slot] - winner.weight
      let kind = KindSet(rawValue: 1 &<< UInt32(slot))
      if behind > Measured.coincidence {
        named.insert(kind)
      } else {
        unnamed += share(ofBits: behind)
        if behind > heaviest { (heaviest, next) = (behind, kind) }
      }
    }
    if named.isEmpty, unnamed > share(ofBits: Measured.coincidence) { named = next }
    named = withLookAlikes(of: winner, for: pair, named)
    if !excludesElsewhere, winner.kind != .outOfRangeTap,
      weights[Kind.outOfRangeTap.slot] > winner.weight + Measured.coincidence
    {
      named.insert(KindSet(.outOfRangeTap))
    }
    return ordered(named)
  }

  /// What weighs `bits` more than another beside that, as a number; between powers of two by a line.
  private mutating func share(ofBits bits: Double) -> Double {
    if bits < -64 { return 0 }
    let whole = bits.rounded(.down)
    return Double(sign: .plus, exponent: Int(whole), significand: 1 + bits - whole)
  }

  /// `kinds`, the likeliest first.
  private mutating func ordered(_ kinds: KindSet) -> [Kind] {
    if kinds.isEmpty { return [] }
    if kinds.rawValue.nonzeroBitCount == 1 {
      return Kind.alone[kinds.rawValue.trailingZeroBitCount]
    }
    return Kind.allCases.filter { kinds.contains(KindSet($0)) }
      .sorted { weights[$0.slot] > weights[$1.slot] }
  }
}

extension Kind {
  /// For each kind an array of it alone, made once: most pairs have one alternative at most.
  fileprivate static let alone: [[Kind]] = allCases.map { [$0] }
}
