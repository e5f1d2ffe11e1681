internal import CLinux
internal import Glibc

/// The sessions of a process that was stopped, as far as it came, for the next, in a memfd that the service manager keeps.
///
/// It begins with a mark of 8 bytes, which says whether all was written. Each record behind it is a header of 32 bytes (a
/// checksum over the rest, the user ID, the length of the name, the length of the session's bytes, the age), the name
/// and the session's bytes.
package enum SessionArchive {
  /// One session in the archive.
  package struct Record: Equatable {
    /// The user whose session it is.
    package var userID: UInt32
    /// The session's name.
    package var name: String
    /// How long ago it was last posted to, in microseconds.
    package var age: Int
    /// The result of `Session.archived()`.
    package var bytes: [UInt8]

    /// A record with these values.
    package init(userID: UInt32, name: String, age: Int, bytes: [UInt8]) {
      self.userID = userID
      self.name = name
      self.age = age
      self.bytes = bytes
    }
  }

  /// The name under which the service manager keeps the memfd.
  package static let storeName = "sessions"

  /// "cdiffsu2", at the beginning while records are written; the last byte, which is the highest, is the form's version.
  private static let unfinished: UInt64 = 0x3275_7366_6669_6463
  /// "cdiffsw2", in its place once all are.
  private static let whole: UInt64 = 0x3277_7366_6669_6463
  private static let markBytes = 8
  private static let headerBytes = 32
  /// An age above this is damaged, in microseconds: some 36,000 years.
  private static let oldest = 1 << 60

  /// The records that could not be written.
  package struct Loss {
    /// How many they are.
    package var count = 0
    /// The `errno` that says why the first of them could not be; 0 where there is none.
    package var failure: Int32 = 0
  }

  /// How many bytes are written before the memory that their sessions held is returned to the kernel: 16 MiB.
  private static let trimBytes = 16 << 20

  /// Writes the records to a memfd, one at a time, so that never all of them are held twice where each session is freed
  /// when its record is made; those for which there is no memory are left out.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - descriptor: The memfd, which is empty; below zero where none could be made, for which `errno` says why.
  /// - Returns: What the memfd does not hold.
  package static func write(_ records: some Sequence<Record>, to descriptor: Int32) -> Loss {
    let noFile = descriptor < 0 || !mark(unfinished, descriptor) ? errno : 0
    if noFile == 0 { lseek(descriptor, off_t(markBytes), SEEK_SET) }
    var loss = Loss()
    var untrimmed = 0
    for record in records {
      if noFile != 0 || !append(record, to: descriptor) {
        if loss.count == 0 { loss.failure = noFile != 0 ? noFile : errno }
        loss.count += 1
      }
      untrimmed += record.bytes.count
      if untrimmed >= trimBytes {
        // What was freed stays with malloc, and the memfd's pages would come on top of it.
        clinux_trim_memory()
        untrimmed = 0
      }
    }
    // In the first mark's place, for which there is memory.
    if noFile == 0 { _ = mark(whole, descriptor) }
    return loss
  }

  /// Writes the mark at the memfd's beginning; where that fails, returns false, and `errno` says why.
  private static func mark(_ mark: UInt64, _ descriptor: Int32) -> Bool {
    // Unsafe: C reads the mark's bytes before it returns.
    unsafe withUnsafeBytes(of: mark) {
      unsafe pwrite(descriptor, $0.baseAddress, markBytes, 0) == markBytes
    }
  }

  /// Writes a record behind the memfd's last one; where there is no memory for it, writes nothing, returns false, and
  /// `errno` says why.
  private static func append(_ record: Record, to descriptor: Int32) -> Bool {
    let start = lseek(descriptor, 0, SEEK_CUR)
    if put(record, to: descriptor) { return true }
    let failure = errno
    ftruncate(descriptor, start)
    lseek(descriptor, start, SEEK_SET)
    errno = failure
    return false
  }

  /// Writes a record to the memfd; returns false where only a part could be written.
  private static func put(_ record: Record, to descriptor: Int32) -> Bool {
    let name = Array(record.name.utf8)
    // Unsafe: each part is written within the capacity, which is the header's, the name's and the session's length.
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

  /// Reads the records of a memfd that `write` made, up to the first damaged one, and closes the memfd.
  ///
  /// - Parameter descriptor: The memfd.
  /// - Returns: The records, and why they are not all that there were; `nil` where they are.
  package static func read(
    adopting descriptor: Int32
  ) -> (records: [Record], failure: KeptMemoryError?) {
    defer { close(descriptor) }
    // Before its size is read: who still has the file could shrink it, which would make accesses fail.
    _ = clinux_seal_size(descriptor)
    let cutShort = KeptMemoryError.damaged(
      "a record is damaged, or its writing was cut short")
    var status = stat()
    // Unsafe: C fills the status before it returns.
    guard unsafe fstat(descriptor, &status) == 0 else { return ([], cutShort) }
    // An older version left an empty file where there was no session.
    if status.st_size == 0 { return ([], nil) }
    guard status.st_size >= markBytes else { return ([], cutShort) }
    // Unsafe: the whole file, until it is unmapped; records are copied out of it.
    let mapped = unsafe mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      return ([], .damaged("it cannot be mapped"))
    }
    defer { unsafe munmap(mapped, status.st_size) }
    let mark = unsafe mapped.load(as: UInt64.self)
    guard mark == whole || mark == unfinished else { return ([], .otherVersion) }
    var rest = unsafe UnsafeRawBufferPointer(
      start: mapped + markBytes, count: status.st_size - markBytes)
    var records: [Record] = []
    while unsafe !rest.isEmpty {
      guard let (record, length) = unsafe first(of: rest) else { return (records, cutShort) }
      records.append(record)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[length...])
    }
    return (records, mark == whole ? nil : cutShort)
  }

  /// Reads the record at the beginning of `bytes`, with its length there; `nil` where it is damaged.
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
