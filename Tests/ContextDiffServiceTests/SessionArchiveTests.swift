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

  private func read(_ bytes: [UInt8]) -> (records: [SessionArchive.Record], isWhole: Bool) {
    let descriptor = clinux_memfd_create("test")
    pwrite(descriptor, bytes, bytes.count, 0)
    return SessionArchive.read(adopting: descriptor)
  }

  @Test func whatIsWrittenIsRead() throws {
    let (read, isWhole) = read(try image())
    #expect(read == records)
    #expect(isWhole)
  }

  @Test func anEmptyArchiveHoldsNothing() {
    #expect(read([]).records == [])
    #expect(read([]).isWhole)
  }

  @Test(arguments: [Int.min, -1, 1 << 60 + 1, Int.max])
  func anAgeThatNoSessionCanHaveIsDamage(age: Int) throws {
    let record = SessionArchive.Record(userID: 1, name: "s", age: age, bytes: [])
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write(records + [record], to: descriptor).count == 0)
    let (read, isWhole) = SessionArchive.read(adopting: descriptor)
    #expect(read == records)
    #expect(!isWhole)
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
    let (read, isWhole) = SessionArchive.read(adopting: descriptor)
    #expect(read == [records[0]])
    #expect(isWhole)
  }

  @Test func withoutAFileAllAreCounted() {
    errno = EMFILE
    let lost = SessionArchive.write(records, to: -1)
    #expect(lost.count == 3)
    #expect(lost.failure == EMFILE)
  }

  @Test func whatComesBeforeDamageIsStillRead() throws {
    let whole = try image()
    // The first two take 40 and 38 bytes.
    for (cut, count) in [(1, 0), (30, 0), (39, 0), (40, 1), (77, 1), (78, 2), (99_000, 2)] {
      let (read, isWhole) = read(Array(whole.prefix(cut)))
      #expect(read == Array(records.prefix(count)), "cut at \(cut)")
      // What ends with a record holds fewer, and is whole.
      #expect(isWhole == [40, 78].contains(cut), "cut at \(cut)")
    }
    for index in 0..<80 {
      var damaged = whole
      damaged[index] ^= 0x20
      let (read, isWhole) = read(damaged)
      #expect(read == Array(records.prefix(index < 40 ? 0 : index < 78 ? 1 : 2)), "byte \(index)")
      #expect(!isWhole, "byte \(index)")
    }
  }
}
