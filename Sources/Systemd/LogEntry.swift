/// One log entry, ready to be sent: its fields in one buffer, each behind its length.
///
/// An entry of ordinary size takes one allocation, so that logging costs little on the thread that logs.
package struct LogEntry {
  /// The fields, each as its length in bytes (a `UInt32` in this machine's byte order) and then its bytes.
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

  /// The size of the length before each field, in bytes.
  static let prefixLength = MemoryLayout<UInt32>.size
}
