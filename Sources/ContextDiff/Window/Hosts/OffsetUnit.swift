/// What a host's offsets count.
enum OffsetUnit: Sendable {
  case bytes
  case scalars
  case utf16
}

extension Bytes {
  /// How many units the text has.
  func count(in unit: OffsetUnit) -> Int {
    switch unit {
    case .bytes: count
    case .scalars: scalarCount
    case .utf16: scalarCount + surrogateCount
    }
  }

  /// The bytes that the first `length` units take; `nil` where the text has fewer units, or `length` is negative.
  ///
  /// A length that ends inside a scalar is cut to the scalar's start.
  func bytes(in length: Int, _ unit: OffsetUnit) -> Int? {
    guard length >= 0 else { return nil }
    switch unit {
    case .bytes: return length <= count ? scalarStart(atOrBefore: length) : nil
    case .scalars, .utf16:
      var left = length
      var place = 0
      while left > 0 {
        guard place < count else { return nil }
        let width = Bytes.scalarLength(of: self[place])
        let units = unit == .utf16 && width == 4 ? 2 : 1
        // Inside a surrogate pair.
        if units > left { return place }
        left -= units
        place += width
      }
      return place
    }
  }
}
