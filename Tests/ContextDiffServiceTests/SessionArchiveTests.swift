import CLinux
import ContextDiffService
import Glibc
import Testing

@Suite struct SessionArchiveTests {
  private let records = [
    SessionArchive.Record(userID: 1, name: "notes", age: 5, bytes: [1, 2, 3]),
    SessionArchive.Record(userID: 2, name: "メモ", age: 0, bytes: []),
    SessionArchive.Record(
      userID: 1, name: "big", age: 1 << 40, bytes: [UInt8](repeating: 7, count: 100_000)),
  ]

  private func image() throws -> [UInt8] {
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write(records, to: descriptor).count == 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: lseek(descriptor, 0, SEEK_END))
    pread(descriptor, &bytes, bytes.count, 0)
    return bytes
  }

  private func read(
    _ bytes: [UInt8]
  ) -> (records: [SessionArchive.Record], failure: KeptMemoryError?) {
    let descriptor = clinux_memfd_create("test")
    pwrite(descriptor, bytes, bytes.count, 0)
    return SessionArchive.read(adopting: descriptor)
  }

  @Test func whatIsWrittenIsRead() throws {
    let (read, failure) = read(try image())
    #expect(read == records)
    #expect(failure == nil)
  }

  @Test func anArchiveOfNoSessionsIsWhole() {
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write([SessionArchive.Record](), to: descriptor).count == 0)
    let (read, failure) = SessionArchive.read(adopting: descriptor)
    #expect(read == [])
    #expect(failure == nil)
  }

  /// Another version had no mark, or has another one.
  @Test func whatAnotherVersionWroteIsNotRead() throws {
    var bytes = try image()
    #expect(read(Array(bytes[8...])).failure == .otherVersion)
    // An older one's, which had no sessions.
    #expect(read([]).failure == nil)
    bytes[7] += 1
    let later = read(bytes)
    #expect(later.records == [])
    #expect(later.failure == .otherVersion)
  }

  @Test func onceItsSizeIsReadNobodyCanChangeIt() throws {
    let descriptor = clinux_memfd_create("test")
    let other = dup(descriptor)
    defer { close(other) }
    #expect(SessionArchive.write(records, to: descriptor).count == 0)
    #expect(SessionArchive.read(adopting: descriptor).failure == nil)
    #expect(ftruncate(other, 0) == -1)
  }

  @Test(arguments: [Int.min, -1, 1 << 60 + 1, Int.max])
  func anAgeThatNoSessionCanHaveIsDamage(age: Int) throws {
    let record = SessionArchive.Record(userID: 1, name: "s", age: age, bytes: [])
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write(records + [record], to: descriptor).count == 0)
    let (read, failure) = SessionArchive.read(adopting: descriptor)
    #expect(read == records)
    #expect(failure != nil)
  }

  /// In a file that cannot grow.
  @Test func whatThereIsNoRoomForIsLeftOutAndCounted() throws {
    let descriptor = clinux_memfd_create("test")
    #expect(ftruncate(descriptor, 4_096) == 0)
    // F_ADD_SEALS and F_SEAL_GROW, which Glibc's module leaves out.
    #expect(fcntl(descriptor, 1_033, 4) == 0)
    let lost = SessionArchive.write([records[0], records[2], records[1]], to: descriptor)
    #expect(lost.count == 2)
    #expect(lost.failure == EPERM)
    let (read, failure) = SessionArchive.read(adopting: descriptor)
    #expect(read == [records[0]])
    #expect(failure == nil)
  }

  @Test func withoutAFileAllAreCounted() {
    errno = EMFILE
    let lost = SessionArchive.write(records, to: -1)
    #expect(lost.count == 3)
    #expect(lost.failure == EMFILE)
  }

  /// As a writer leaves it that is killed.
  @Test func whatWasWrittenBeforeAWriterWasCutShortIsRead() throws {
    var unfinished = try image()
    unfinished[6] = UInt8(ascii: "u")
    // The mark takes 8 bytes, the first two records 40 and 38.
    let cuts = [
      (1, 0), (7, 0), (8, 0), (9, 0), (47, 0), (48, 1), (85, 1), (86, 2), (99_000, 2),
      (unfinished.count, 3),
    ]
    for (cut, count) in cuts {
      let (read, failure) = read(Array(unfinished.prefix(cut)))
      #expect(read == Array(records.prefix(count)), "cut at \(cut)")
      #expect(failure != nil && failure != .otherVersion, "cut at \(cut)")
    }
  }

  @Test func whatComesBeforeDamageIsStillRead() throws {
    let whole = try image()
    for index in 8..<88 {
      var damaged = whole
      damaged[index] ^= 0x20
      let (read, failure) = read(damaged)
      #expect(read == Array(records.prefix(index < 48 ? 0 : index < 86 ? 1 : 2)), "byte \(index)")
      #expect(failure != nil, "byte \(index)")
    }
  }
}
