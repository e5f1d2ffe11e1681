/// Log entries in one buffer, which is reused for the next batch.
package struct LogBatch {
  private var bytes: [UInt8] = []
  private var entryEnds: [Int] = []

  package init() {}

  /// The number of entries.
  package var count: Int { entryEnds.count }

  /// How many bytes the entries take, the lengths before their fields included.
  package var byteCount: Int { bytes.count }

  package mutating func append(_ entry: LogEntry) {
    bytes.append(contentsOf: entry.bytes)
    entryEnds.append(bytes.count)
  }

  /// Removes the entries; a buffer of at most `capacityKept` bytes is kept for the next ones.
  package mutating func removeAll() {
    let keepsCapacity = bytes.capacity <= LogBatch.capacityKept
    bytes.removeAll(keepingCapacity: keepsCapacity)
    entryEnds.removeAll(keepingCapacity: keepsCapacity)
  }

  /// Calls `body` once for each entry, with its fields; the pointers are valid only during that call.
  package func forEachEntry(_ body: ([UnsafeRawBufferPointer]) -> Void) {
    // Unsafe: bytes lent to `body`, cut at the lengths that `LogEntry` wrote before each field.
    unsafe bytes.withUnsafeBytes { bytes in
      var fields: [UnsafeRawBufferPointer] = unsafe []
      var position = 0
      for end in entryEnds {
        unsafe fields.removeAll(keepingCapacity: true)
        while position < end {
          let length = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          let start = position + LogEntry.prefixLength
          position = start + Int(length)
          unsafe fields.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        }
        unsafe body(fields)
      }
    }
  }

  /// What an ordinary burst of entries takes, in bytes.
  private static let capacityKept = 256 << 10
}
