extension Bytes {
  /// How many scalars count as news, each at the cost of `Measured.scalar`; a run of spaces and tabs counts as
  /// one, because indentation is alike in many places.
  ///
  /// At most twice as many as of unknown text, so that a long text inserted stays likelier than a tap to
  /// such a text.
  var newScalars: Int { newScalars(upTo: 2 * Measured.mostUnknown) }

  /// The same, `limit` at most.
  func newScalars(upTo limit: Int) -> Int {
    var total = 0
    var index = 0
    var wasBlank: UInt64 = 0
    while index <= count &- 12, total < limit, holdsFourThreeByteScalars(from: index) {
      total &+= 4
      index &+= 12
    }
    while index <= count &- 8, total < limit {
      let bytes = UInt64(littleEndian: word(index))
      let starts = Bytes.starts(in: bytes)
      let blanks = Bytes.blanks(in: bytes)
      total &+= (starts & ~(blanks & (blanks << 8 | wasBlank))).nonzeroBitCount
      wasBlank = blanks >> 56
      index &+= 8
    }
    while index < count, total < limit {
      let byte = self[index]
      index &+= 1
      if Bytes.isContinuation(byte) { continue }
      if !byte.isBlank || wasBlank == 0 { total &+= 1 }
      wasBlank = byte.isBlank ? 1 : 0
    }
    return min(total, limit)
  }

  /// The lowest bit of each of eight bytes that is a space or a tab.
  private static func blanks(in bytes: UInt64) -> UInt64 {
    (marks(of: .space, in: bytes) | marks(of: .tab, in: bytes)) >> 7
  }
}

extension Joined {
  /// The sum of the three stretches' `newScalars`.
  var newScalars: Int { head.newScalars + middle.newScalars + tail.newScalars }
}
