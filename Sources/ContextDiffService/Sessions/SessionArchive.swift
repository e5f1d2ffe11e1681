internal import CLinux
internal import Glibc

/// Sessions on their way from one process to the next over a clean restart: a memfd that the
/// service manager keeps meanwhile.
///
/// Each record is a checksum over the rest, the lengths, whose session it is, and its bytes.
package enum SessionArchive {
  /// One session in the archive.
  package struct Record: Equatable {
    /// Whose it is.
    package var userID: UInt32
    /// Its name.
    package var name: String
    /// How long ago it was last posted to, in microseconds.
    package var age: Int
    /// What `Session.archived()` gave.
    package var bytes: [UInt8]

    /// A record of the values given.
    package init(userID: UInt32, name: String, age: Int, bytes: [UInt8]) {
      self.userID = userID
      self.name = name
      self.age = age
      self.bytes = bytes
    }
  }

  /// The name under which the service manager keeps it.
  package static let storeName = "sessions"

  private static let headerBytes = 32
  /// No session is older, in microseconds: some ten thousand years.
  private static let oldest = 1 << 60

  /// Writes the records, one at a time so that no second copy of all is held.
  ///
  /// - Returns: The memfd, to be closed by the caller; `nil` where the memory cannot be had.
  package static func write(_ records: some Sequence<Record>) -> Int32? {
    // Unsafe: C reads the name before it returns.
    let descriptor = unsafe clinux_memfd_create("contextdiff-sessions")
    guard descriptor >= 0 else { return nil }
    for record in records where !append(record, to: descriptor) {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func append(_ record: Record, to descriptor: Int32) -> Bool {
    let name = Array(record.name.utf8)
    // Unsafe: each part is written within the room for the header, the name and the record.
    let bytes = unsafe [UInt8](
      unsafeUninitializedCapacity: headerBytes + name.count + record.bytes.count
    ) {
      place, count in
      let raw = UnsafeMutableRawBufferPointer(place)
      unsafe raw.storeBytes(of: record.userID, toByteOffset: 8, as: UInt32.self)
      unsafe raw.storeBytes(of: UInt32(name.count), toByteOffset: 12, as: UInt32.self)
      unsafe raw.storeBytes(of: record.bytes.count, toByteOffset: 16, as: Int.self)
      unsafe raw.storeBytes(of: record.age, toByteOffset: 24, as: Int.self)
      unsafe raw[headerBytes...].copyBytes(from: name)
      unsafe raw[(headerBytes + name.count)...].copyBytes(from: record.bytes)
      unsafe raw.storeBytes(
        of: checksum(UnsafeRawBufferPointer(rebasing: raw[8...])), as: UInt64.self)
      count = raw.count
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      // Unsafe: the bytes that are not yet written, as many as there are.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The records in a memfd that `write` made, up to the first that is damaged.
  ///
  /// Closes it.
  ///
  /// - Returns: The records, and whether all of the memory was whole.
  package static func read(adopting descriptor: Int32) -> (records: [Record], isWhole: Bool) {
    defer { close(descriptor) }
    var status = stat()
    // Unsafe: C fills the status before it returns.
    guard unsafe fstat(descriptor, &status) == 0, status.st_size >= 0 else { return ([], false) }
    guard status.st_size > 0 else { return ([], true) }
    // Unsafe: the whole file, until it is unmapped; records are copied out of it.
    let mapped = unsafe mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return ([], false) }
    defer { unsafe munmap(mapped, status.st_size) }
    var rest = unsafe UnsafeRawBufferPointer(start: mapped, count: status.st_size)
    var records: [Record] = []
    while unsafe !rest.isEmpty {
      guard let (record, length) = unsafe first(of: rest) else { return (records, false) }
      records.append(record)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[length...])
    }
    return (records, true)
  }

  private static func first(of bytes: UnsafeRawBufferPointer) -> (Record, length: Int)? {
    guard bytes.count >= headerBytes else { return nil }
    // Unsafe: a whole header is there, checked above.
    let nameLength = unsafe Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    let length = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: Int.self)
    guard length >= 0, length <= bytes.count, nameLength <= bytes.count,
      headerBytes + nameLength + length <= bytes.count
    else { return nil }
    let end = headerBytes + nameLength + length
    // Unsafe: a whole record is there, checked above.
    let sum = unsafe bytes.loadUnaligned(as: UInt64.self)
    guard unsafe sum == checksum(UnsafeRawBufferPointer(rebasing: bytes[8..<end])) else {
      return nil
    }
    let age = unsafe bytes.loadUnaligned(fromByteOffset: 24, as: Int.self)
    guard 0...oldest ~= age else { return nil }
    let record = unsafe Record(
      userID: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
      name: String(decoding: bytes[headerBytes..<headerBytes + nameLength], as: UTF8.self),
      age: age, bytes: Array(bytes[(headerBytes + nameLength)..<end]))
    return (record, end)
  }
}
