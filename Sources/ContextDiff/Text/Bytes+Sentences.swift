extension Bytes {
  /// Whether one of `terminators` is followed by a scalar that is none.
  func isSentenceEnded(by terminators: Terminators) -> Bool {
    var start = 0
    while start < count {
      // Kana and ideographs have three bytes: four at a time, as long as one follows them.
      while start < count &- 12, !terminators.mayContain(oneOfFour: fourScalars(at: start)) {
        start &+= 12
      }
      // The last four may overlap what was searched.
      if count >= 12, start >= count &- 12,
        !terminators.mayContain(oneOfFour: fourScalars(at: count &- 12))
      {
        return false
      }
      let end = start &+ Bytes.scalarLength(of: self[start])
      if end >= count { return false }
      if terminators.mayContain(endingWith: self[end &- 1]) {
        let (last, next) = (dropFirst(start).firstScalar, dropFirst(end).firstScalar)
        if terminators.endSentence(with: last, before: next) { return true }
      }
      start = end
    }
    return false
  }

  /// The twelve bytes from `offset` on, little-endian: four scalars, if each has three.
  @inline(__always) private func fourScalars(at offset: Int) -> (UInt64, UInt32) {
    (
      UInt64(littleEndian: word(offset)),
      UInt32(littleEndian: load(offset &+ 8, as: UInt32.self))
    )
  }
}
