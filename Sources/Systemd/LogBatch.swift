/// Log entries one behind the other, in one buffer that is used again.
package struct LogBatch {
  private var bytes: [UInt8] = []
  private var entryEnds: [Int] = []

  package init() {}

  /// How many entries there are.
  package var count: Int { entryEnds.count }

  /// How many bytes they hold.
  package var byteCount: Int { bytes.count }

  package mutating func append(_ entry: LogEntry) {
    bytes.append(contentsOf: entry.bytes)
    entryEnds.append(bytes.count)
  }

  /// Forgets the entries; their memory is kept, up to what an ordinary burst needs.
  package mutating func removeAll() {
    let keepsCapacity = bytes.capacity <= LogBatch.capacityKept
    bytes.removeAll(keepingCapacity: keepsCapacity)
    entryEnds.removeAll(keepingCapacity: keepsCapacity)
  }

  /// Calls `body` with the fields of each entry in turn; they are valid only during the call.
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

  private static let capacityKept = 256 << 10
}
