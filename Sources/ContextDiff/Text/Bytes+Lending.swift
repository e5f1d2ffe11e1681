// Owned text lent as `Bytes`, and `Bytes` copied.

extension [UInt8] {
  /// Lends the array, which must be well-formed UTF-8, to `body`.
  @inline(__always) func withBytes<Result>(_ body: (Bytes) -> Result) -> Result {
    // Unsafe: what is lent is used in `body` alone.
    unsafe withUnsafeBufferPointer { unsafe body(Bytes($0)) }
  }

  /// Whether `other` is equal, both being well-formed UTF-8; faster than `==`, which compares single bytes.
  func isSame(as other: [UInt8]) -> Bool {
    withBytes { bytes in other.withBytes { bytes == $0 } }
  }

  /// Whether it is well-formed UTF-8.
  var isWellFormed: Bool { String(decoding: self, as: UTF8.self).utf8.elementsEqual(self) }

  /// The text as a string, `nil` where it is empty; it must be well-formed UTF-8.
  var text: String? { isEmpty ? nil : String(decoding: self, as: UTF8.self) }

  /// A copy of `text`.
  init(_ text: Bytes) {
    // Unsafe: copied at once.
    unsafe self.init(text.utf8)
  }

  mutating func append(contentsOf text: Bytes) {
    // Unsafe: copied at once.
    unsafe append(contentsOf: text.utf8)
  }

  mutating func insert(contentsOf text: Bytes, at index: Int) {
    // Unsafe: copied at once.
    unsafe insert(contentsOf: text.utf8, at: index)
  }
}

extension String {
  /// Lends the text's UTF-8 to `body`.
  @inline(__always) package func withBytes<Result>(_ body: (Bytes) -> Result) -> Result {
    // Unsafe: what is lent is used in `body` alone.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return unsafe utf8.span.withUnsafeBufferPointer { unsafe body(Bytes($0)) }
    }
    var text = self
    return text.withUTF8 { unsafe body(Bytes($0)) }
  }

  /// Whether `other` holds the same scalars; `==` takes a composed and a decomposed character for equal.
  package func isSame(as other: String) -> Bool { other.withBytes { $0.isSame(as: self) } }
}

extension String? {
  /// Whether `other` holds the same scalars; `nil` holds none.
  func isSame(as other: String?) -> Bool { (self ?? "").isSame(as: other ?? "") }
}

extension Bytes {
  /// Whether `text` holds the same scalars.
  package func isSame(as text: String) -> Bool { text.withBytes { self == $0 } }

  func hash(into hasher: inout Hasher) {
    // Unsafe: read at once.
    unsafe hasher.combine(bytes: raw)
  }
}

extension Hasher {
  /// Adds the scalars of `text`, and whether there is any.
  mutating func combine(scalarsOf text: String?) {
    combine(text == nil)
    text.lend { $0.bytes.hash(into: &self) }
    combine(UInt8.max)
  }
}
