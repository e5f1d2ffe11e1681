/// A 64-bit checksum of bytes, eight at a time: it notices damage, it does not resist an attacker.
///
/// - Complexity: one multiplication for each eight bytes.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var sum = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
  var offset = 0
  while offset + 8 <= bytes.count {
    sum = mix(sum, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    offset += 8
  }
  var tail: UInt64 = 0
  while offset < bytes.count {
    tail = tail << 8 | UInt64(bytes[offset])
    offset += 1
  }
  return mix(sum, tail)
}

private func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
  let product = (sum ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}
