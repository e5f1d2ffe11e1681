/// A 64-bit checksum of bytes, which detects damage but no deliberate change.
///
/// Fletcher's: a sum of the words of eight bytes, which tells that one was changed, and a sum of that sum as it grows,
/// which tells that two changed places. A vector has four of each, which are multiplied together at the end.
///
/// - Parameter bytes: The bytes.
/// - Returns: Their checksum.
/// - Complexity: Nine instructions for each 32 bytes.
package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var sums = SIMD4(repeating: UInt64(bytes.count))
  var sumsOfSums = SIMD4<UInt64>.zero
  var offset = 0
  let last = bytes.count &- 32
  while offset <= last {
    // Unsafe: 32 bytes are left.
    sums &+= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    sumsOfSums &+= sums
    offset &+= 32
  }
  // The rest, filled up with zeros.
  var rest = SIMD4<UInt64>.zero
  // Unsafe: fewer than 32 bytes are left.
  unsafe withUnsafeMutableBytes(of: &rest) {
    unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
  }
  sums &+= rest
  sumsOfSums &+= sums
  var checksum: UInt64 = 0
  for lane in sums.indices { checksum = mix(checksum ^ sums[lane], sumsOfSums[lane]) }
  return checksum
}

/// Multiplies `sum` and `word`, and folds the product to 64 bits.
private func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
  // The constants keep a factor from being 0 where the bytes are all 0.
  let product = (sum ^ 0xA076_1D64_78BD_642F)
    .multipliedFullWidth(by: word ^ 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}
