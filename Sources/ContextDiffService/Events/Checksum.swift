/// A 64-bit checksum of bytes, which detects damage but no deliberate change.
///
/// - Complexity: One multiplication for each 16 bytes; two of them are independent, so that they overlap.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  func word(_ offset: Int) -> UInt64 {
    // Unsafe: the caller has checked that eight bytes are at the offset.
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
  var sum = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
  var other: UInt64 = 0x2545_F491_4F6C_DD1D
  var offset = 0
  while offset &+ 32 <= bytes.count {
    sum = mix(sum ^ word(offset), word(offset &+ 8))
    other = mix(other ^ word(offset &+ 16), word(offset &+ 24))
    offset &+= 32
  }
  sum = mix(sum, other)
  if offset &+ 16 <= bytes.count {
    sum = mix(sum ^ word(offset), word(offset &+ 8))
    offset &+= 16
  }
  if offset &+ 8 <= bytes.count {
    sum = mix(sum, word(offset))
    offset &+= 8
  }
  var tail: UInt64 = 0
  while offset < bytes.count {
    // Unsafe: the offset is below the count.
    tail = unsafe tail << 8 | UInt64(bytes[offset])
    offset &+= 1
  }
  return mix(sum, tail)
}

/// Multiplies `sum` and `word`, and folds the product to 64 bits.
private func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
  // The constants keep a factor from being 0 where the bytes are all 0.
  let product = (sum ^ 0xA076_1D64_78BD_642F)
    .multipliedFullWidth(by: word ^ 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}
