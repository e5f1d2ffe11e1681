import CLinux
import ContextDiff
import ContextDiffService
import Glibc
import Logging
import Systemd
import TestSupport
import Testing
import Varlink

/// What a service says of what the process before left.
@Suite struct AdoptionTests {
  private func adopt(
    _ records: [SessionArchive.Record], _ settings: Settings = Settings(),
    eventsOf userIDs: [UInt32] = [], inForm form: UInt8? = nil, at offset: off_t = 7
  ) throws -> [String] {
    let entries = Entries()
    let users = try users(settings, entries)
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write(records, to: descriptor).count == 0)
    let rings = try userIDs.map { userID in
      let ring = try EventRing(
        userID: userID, instance: String(repeating: "a", count: 32), capacity: 4_096)
      if var form { #expect(pwrite(ring.descriptor, &form, 1, offset) == 1) }
      return (descriptor: dup(ring.descriptor), name: "events-\(userID)")
    }
    users.adopt(rings + [(descriptor, SessionArchive.storeName)])
    return entries.all
  }

  private func users(
    _ settings: Settings, _ entries: Entries, _ manager: ServiceManager = ServiceManager(at: nil)
  ) throws -> UserLoops {
    try UserLoops(
      settings: settings, access: Access(ownUserID: 0),
      info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://u"),
      loop: EpollLoop(), manager: manager,
      logger: Logger(label: "test") { _ in Keeper(entries: entries) })
  }

  private func record(
    _ name: String, _ bytes: [UInt8], of userID: UInt32 = 1
  ) -> SessionArchive.Record {
    SessionArchive.Record(userID: userID, name: name, age: 0, bytes: bytes)
  }

  @Test func sessionsThatTheEngineRefusesAreCountedInOneEntry() throws {
    let whole = Session().archived()
    let refused: [UInt8] = Array("marker7312".utf8)
    let entries = try adopt([
      record("secret", refused), record("a", whole), record("b", Array(whole.dropLast())),
    ])
    #expect(entries.count == 1)
    #expect(entries.first?.hasPrefix("warning: 2 of 3 sessions of the process before") == true)
    #expect(entries.first?.contains("secret") == false)
    #expect(entries.first?.contains("marker7312") == false)
  }

  @Test func eventsOfAnotherVersionAreNoFault() throws {
    let entries = try adopt([], eventsOf: [1], inForm: UInt8(ascii: "3"))
    #expect(entries.count == 1)
    #expect(entries.first?.hasPrefix("warning: kept events events-1 of the process before") == true)
    let damaged = try adopt([], eventsOf: [1], inForm: 0, at: 0)
    #expect(damaged.first?.hasPrefix("error: kept events events-1 of the process before") == true)
  }

  /// Two sessions of one name could not both be let go of: the first look for idle ones would never end.
  @Test(arguments: ["a", "", "line\nfeed", String(repeating: "n", count: 256)])
  func aNameThatNoOtherSessionCanHaveIsRefused(name: String) throws {
    let whole = Session().archived()
    let entries = try adopt([record("a", whole), record(name, whole), record("b", whole)])
    #expect(entries.count == 1)
    #expect(entries.first?.contains("1 of 3 sessions of the process before") == true)
  }

  @Test func sessionsThatThereIsNoRoomForAnyMoreAreNamed() throws {
    var settings = Settings()
    settings.limits.sessionsBytes = 10_000
    var engine = Session()
    _ = engine.post(new: Snapshot(before: String(repeating: "a", count: 6_000)), with: Classifier())
    let bytes = engine.archived()
    let entries = try adopt([record("a", bytes), record("b", bytes)], settings)
    #expect(entries.count == 1)
    #expect(entries.first?.contains("a: forgotten, as its user's sessions hold more") == true)
  }

  @Test func withoutTransitionsSessionsThatGiveWayAreNotNamed() throws {
    var settings = Settings()
    settings.logTransitions = false
    settings.limits.sessionsBytes = 10_000
    var engine = Session()
    _ = engine.post(new: Snapshot(before: String(repeating: "a", count: 6_000)), with: Classifier())
    for sessions in [1, 2] {
      settings.limits.sessions = sessions
      let bytes = engine.archived()
      let entries = try adopt([record("secret", bytes), record("b", bytes)], settings)
      #expect(entries.count == 1)
      #expect(entries.first?.contains("a session of user 1: forgotten, as its user") == true)
      #expect(entries.first?.contains("secret") == false)
    }
  }

  @Test func ofMoreSessionsThanThereMayBeThosePostedToLongestAgoGiveWay() throws {
    var settings = Settings()
    settings.limits.sessions = 2
    let bytes = Session().archived()
    let entries = try adopt(["a", "b", "c", "d"].map { record($0, bytes) }, settings)
    let forgotten = ["a", "b"].map {
      "\($0): forgotten, as its user has more than limits.sessions, 2"
    }
    #expect(entries.map { entry in forgotten.filter(entry.contains) } == forgotten.map { [$0] })
  }

  /// Nothing is damaged then; each of them is named once, whatever was kept.
  @Test func usersBeyondALimitThatWasLoweredAreNamed() throws {
    var settings = Settings()
    settings.limits.users = 1
    let whole = Session().archived()
    let records =
      [record("a", whole)]
      + ([2, 3] as [UInt32]).flatMap {
        [record("a", whole, of: $0), record("b", whole, of: $0)]
      }
    let entries = try adopt(records, settings, eventsOf: [1, 2])
    let forgotten = [2, 3].map {
      "what is kept of user \($0), who is not connected, forgotten for another: limits.users, 1, is reached"
    }
    #expect(entries.map { entry in forgotten.filter(entry.contains) } == forgotten.map { [$0] })
  }

  @Test func administratorsTakeNobodysPlace() throws {
    var settings = Settings()
    settings.limits.users = 1
    let entries = try adopt(
      [record("a", Session().archived())], settings, eventsOf: [0, 1])
    #expect(entries == [])
  }

  /// A stop that takes too long leaves those that are written by then.
  @Test func usersWhoseSessionsHoldLeastAreHandedOverFirst() throws {
    let stub = try StubManager()
    let users = try users(Settings(), Entries(), ServiceManager(at: stub.address))
    let lengths: [(userID: UInt32, length: Int)] = [(1, 6_000), (2, 10), (3, 600)]
    let records = lengths.map { userID, length in
      var engine = Session()
      let text = String(repeating: "a", count: length)
      _ = engine.post(new: Snapshot(before: text), with: Classifier())
      return record("a", engine.archived(), of: userID)
    }
    let descriptor = clinux_memfd_create("test")
    #expect(SessionArchive.write(records, to: descriptor).count == 0)
    users.adopt([(descriptor, SessionArchive.storeName)])
    users.archiveSessions()
    // Each user's events are stored before.
    var stored = stub.receiveWithDescriptor()
    while !stored.message.hasPrefix("FDSTORE=1\nFDNAME=\(SessionArchive.storeName)\n") {
      try #require(stored.message != "")
      if let descriptor = stored.descriptor { close(descriptor) }
      stored = stub.receiveWithDescriptor()
    }
    let (left, failure) = SessionArchive.read(adopting: try #require(stored.descriptor))
    #expect(left.map(\.userID) == [2, 3, 1])
    #expect(failure == nil)
  }

  @Test func nothingIsSaidOfWholeSessions() throws {
    #expect(try adopt([record("a", Session().archived())]) == [])
  }
}
