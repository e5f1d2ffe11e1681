/// What a host's offsets count.
enum OffsetUnit: Sendable {
  case bytes
  case scalars
  case utf16
}

extension Bytes {
  /// How many bytes the first `length` units take; `nil` where the text has not so many.
  ///
  /// A length that ends inside a scalar ends before it.
  func bytes(in length: Int, _ unit: OffsetUnit) -> Int? {
    guard length >= 0 else { return nil }
    switch unit {
    case .bytes:
      guard length <= count else { return nil }
      var place = length
      while place < count, place > 0, self[place] & 0xC0 == 0x80 { place -= 1 }
      return place
    case .scalars, .utf16:
      var left = length
      var place = 0
      while left > 0 {
        guard place < count else { return nil }
        let lead = self[place]
        let (width, units) =
          switch lead {
          case 0..<0x80: (1, 1)
          case 0x80..<0xE0: (2, 1)
          case 0xE0..<0xF0: (3, 1)
          default: (4, unit == .utf16 ? 2 : 1)
          }
        // Inside a surrogate pair.
        if units > left { return place }
        left -= units
        place += width
      }
      return place
    }
  }
}
