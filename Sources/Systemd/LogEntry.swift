/// One log entry on its way out: fields, each with its length before it, in one buffer.
///
/// One allocation for an entry of ordinary size, so that logging costs little on the thread that
/// logs.
package struct LogEntry {
  /// Each field as four bytes of length, in this machine's order, and then as many bytes.
  package private(set) var bytes: [UInt8] = []

  package init() {
    bytes.reserveCapacity(960)
  }

  /// Adds a field; `write` appends its bytes.
  mutating func appendField(_ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    // Unsafe: the number's own bytes, copied at once.
    unsafe withUnsafeBytes(of: UInt32(0)) { unsafe bytes.append(contentsOf: $0) }
    write(&bytes)
    let length = UInt32(truncatingIfNeeded: bytes.count - start - LogEntry.prefixLength)
    // Unsafe: the four bytes that were appended at `start`.
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: length, toByteOffset: start, as: UInt32.self)
    }
  }

  /// How many bytes of length stand before a field.
  static let prefixLength = MemoryLayout<UInt32>.size
}
