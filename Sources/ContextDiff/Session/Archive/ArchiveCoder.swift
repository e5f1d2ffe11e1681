/// Writes values as bytes, or reads them: one function for each part of a session does both.
///
/// Each function takes the value to write, and ignores it where it reads; it returns the value written or read.
/// Integers are eight bytes, little-endian; a text follows its length.
struct ArchiveCoder {
  /// Thrown where the bytes cannot have been written by a coder.
  struct Malformed: Error {}

  /// The bytes written.
  private(set) var bytes: [UInt8] = []
  /// The bytes still to be read; `nil` where it writes.
  private(set) var unread: ArraySlice<UInt8>?

  /// A coder that writes.
  init() {}

  /// A coder that reads `bytes`.
  init(reading bytes: [UInt8]) { unread = bytes[...] }

  /// Throws `Malformed` where it reads and `isRight` is `false`.
  func check(_ isRight: @autoclosure () -> Bool) throws {
    if unread != nil, !isRight() { throw Malformed() }
  }

  /// Throws `Malformed` where there is no value.
  func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Malformed() }
    return value
  }
}

// MARK: - Numbers

extension ArchiveCoder {
  mutating func word(_ value: UInt64?) throws -> UInt64 {
    let shifts = stride(from: UInt64(0), to: 64, by: 8)
    guard let unread else {
      let value = value ?? 0
      for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
      return value
    }
    try check(unread.count >= 8)
    var value: UInt64 = 0
    for (byte, shift) in zip(unread, shifts) { value |= UInt64(byte) << shift }
    self.unread = unread.dropFirst(8)
    return value
  }

  mutating func int(_ value: Int?) throws -> Int {
    Int(truncatingIfNeeded: try word(value.map { UInt64(truncatingIfNeeded: $0) }))
  }

  /// An offset or a length, limited so that the sum of a few cannot overflow.
  mutating func offset(_ value: Int?) throws -> Int {
    let value = try int(value)
    try check(value.magnitude <= UInt(Int.max >> 8))
    return value
  }

  /// A length or a count, not negative.
  mutating func length(_ value: Int?) throws -> Int {
    let value = try offset(value)
    try check(value >= 0)
    return value
  }

  /// How many elements or bytes follow.
  private mutating func count(_ value: Int?) throws -> Int {
    let value = try int(value)
    // Each element takes at least a byte, so that a count cannot ask for more elements than the archive has bytes.
    try check(value >= 0 && value <= unread?.count ?? 0)
    return value
  }

  mutating func bool(_ value: Bool?) throws -> Bool {
    let value = try int(value.map { $0 ? 1 : 0 })
    try check(value == 0 || value == 1)
    return value == 1
  }

  /// Up to three flags, in one number.
  mutating func bools(
    _ first: Bool?, _ second: Bool?, _ third: Bool? = nil
  ) throws -> (Bool, Bool, Bool) {
    let flags = try int(
      (first ?? false ? 1 : 0) + (second ?? false ? 2 : 0) + (third ?? false ? 4 : 0))
    try check((0...7).contains(flags))
    return (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
  }

  /// A sum of weights, exactly as it was, so that the session decides as before.
  mutating func bits(_ value: Double?) throws -> Double {
    let value = Double(bitPattern: try word(value?.bitPattern))
    try check(value.isFinite)
    return value
  }

  /// A binary logarithm: 0, negative, or minus infinity.
  mutating func weight(_ value: Double?) throws -> Double {
    let value = Double(bitPattern: try word(value?.bitPattern))
    try check(value <= 0)
    return value
  }

  mutating func tag<Tag: RawRepresentable<UInt8>>(_ value: Tag?) throws -> Tag {
    try unwrap(UInt8(exactly: int(value.map { Int($0.rawValue) })).flatMap(Tag.init))
  }
}

// MARK: - Texts, and several values

extension ArchiveCoder {
  mutating func data(_ value: [UInt8]?) throws -> [UInt8] {
    let value = value ?? []
    let length = try count(value.count)
    guard let unread else {
      bytes += value
      return value
    }
    self.unread = unread.dropFirst(length)
    return Array(unread.prefix(length))
  }

  /// A text in well-formed UTF-8.
  mutating func scalars(_ value: [UInt8]?) throws -> [UInt8] {
    let text = try data(value)
    try check(text.isWellFormed)
    return text
  }

  mutating func string(_ value: String?) throws -> String {
    String(decoding: try scalars(value.map { Array($0.utf8) }), as: UTF8.self)
  }

  mutating func name<Name: RawRepresentable<String>>(_ value: Name?) throws -> Name {
    try unwrap(Name(rawValue: string(value?.rawValue)))
  }

  /// A flag, and the value if there is one.
  mutating func optional<Value>(
    _ value: Value?, of code: (inout ArchiveCoder, Value?) throws -> Value
  ) throws -> Value? {
    try bool(value != nil) ? code(&self, value) : nil
  }

  mutating func list<Element>(
    _ values: [Element]?, of code: (inout ArchiveCoder, Element?) throws -> Element
  ) throws -> [Element] {
    let values = values ?? []
    var coded: [Element] = []
    for index in 0..<(try count(values.count)) {
      coded.append(try code(&self, index < values.count ? values[index] : nil))
    }
    return coded
  }
}
