// What values take of the heap, as far as the standard library tells. Measured on x86-64 with glibc 2.36 and Swift 6
// (malloc_usable_size(3) of the arrays' and strings' buffers).

/// What a heap block takes besides its elements, in bytes: the header of Swift's arrays, and of its native strings (32),
/// and that of malloc (8).
private let blockHeader = 40

extension Array {
  /// The memory in use, in bytes, what its elements refer to left out; 0 where it never had any element.
  var heldBytes: Int {
    capacity == 0 ? 0 : capacity * MemoryLayout<Element>.stride + blockHeader
  }
}

extension String {
  /// The memory in use, in bytes, besides its own; 0 where it is short enough to need none.
  ///
  /// It has a NUL behind it, and blocks are of multiples of 16 bytes.
  var heldBytes: Int { utf8.count <= 15 ? 0 : (utf8.count + blockHeader + 16) & ~15 }
}
