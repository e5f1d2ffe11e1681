extension Joined {
  /// The one edit that makes `other` of this text; `nil` where the two are the same.
  func edit(to other: Joined) -> Kind? {
    if self == other { return nil }
    let ends = commonEnds(other)
    if ends.start + ends.end == other.count { return .deletion }
    return ends.start + ends.end == count ? .insertion : .replacement
  }

  /// Whether of what lies between the ends that this text and `other` have in common more than half is one stretch of
  /// both, of so many scalars that this is no coincidence: `(item)` and `"item"`.
  ///
  /// - Complexity: quadratic.
  func sharesMiddle(with other: Joined) -> Bool {
    let ends = commonEnds(other)
    let (mine, others) = (between(ends), other.between(ends))
    let (part, whole) = mine.count < others.count ? (mine, others) : (others, mine)
    // Such a stretch lies across the middle of the longer one.
    let middle = whole.count / 2
    for offset in 0..<part.count where part[offset] == whole[middle] {
      let start = whole.prefix(middle).commonSuffix(part.prefix(offset))
      let shared = start + whole.dropFirst(middle).commonPrefix(part.dropFirst(offset))
      if shared * 2 > whole.count,
        whole.dropFirst(middle - start).prefix(shared).scalarCount >= Measured.evident
      {
        return true
      }
    }
    return false
  }

  /// The text without what it has in common with another one at its ends.
  private func between(_ ends: (start: Int, end: Int)) -> Joined {
    dropFirst(ends.start).dropLast(ends.end)
  }

  /// Whether this text and `other` are the same but for a few scalars: so much is common to both at the ends that it is
  /// no coincidence (`Measured.alike`).
  func differsLittle(from other: Joined) -> Bool {
    let ends = commonEnds(other)
    return Double(ends.start + ends.end) >= Double(max(count, other.count)) * Measured.alike
      && prefix(ends.start).scalarCount + dropFirst(count - ends.end).scalarCount
        >= Measured.evident
  }

  /// Whether two edits, or a change of case, may lead from this text to `other`, as chance hardly ever does: they have at
  /// least half of the longer one's bytes in common at both ends; or the longer one, at most twice as long, holds all
  /// scalars of the other in their order, whatever the case of ASCII letters.
  func resembles(_ other: Joined) -> Bool {
    let (short, long) = count < other.count ? (self, other) : (other, self)
    guard short.scalarCount >= Measured.leastResembling else { return false }
    let ends = short.commonEnds(long)
    let enough = Double(long.count) * Measured.resembling
    if Double(ends.start + ends.end) >= enough { return true }
    guard Double(short.count) >= enough else { return false }
    return long.contiguous.withBytes { long in
      var rest = long
      return short.contiguous.withBytes {
        $0.allScalars { scalar in
          while !rest.isEmpty {
            let next = rest.firstScalar
            rest = rest.dropFirst(rest.firstScalarLength)
            if next.lowercased == scalar.lowercased { return true }
          }
          return false
        }
      }
    }
  }
}

extension UInt32 {
  /// The lower case of an ASCII letter; any other scalar as it is.
  fileprivate var lowercased: UInt32 { 0x41...0x5A ~= self ? self + 0x20 : self }
}
