import ContextDiff
import ContextDiffService
import Testing

@Suite struct ClientEntriesTests {
  private var entries = ClientEntries()

  @Test mutating func aFloodOfOneUserEndsInFewEntriesAndIsCounted() {
    let admitted = (0..<5_000).count { entries.admit(.user(7), now: 1_000_000 + $0) }
    #expect(admitted == ClientEntries.entriesPerSecond)
    let other = entries.admit(.user(8), now: 1_000_000)
    #expect(other)
    let leftOut = entries.takeLeftOut()
    #expect(leftOut.count == 1)
    #expect(leftOut[.user(7)]?.total == 5_000 - ClientEntries.entriesPerSecond)
    #expect(entries.takeLeftOut().isEmpty)
    let next = entries.admit(.user(7), now: 2_000_000)
    #expect(next)
  }

  @Test mutating func refusedConnectionsShareOneEntryASecond() {
    let admitted = (0..<100).count { entries.admit(.refused, now: 1_000_000 + $0) }
    #expect(admitted == 1)
    #expect(entries.takeLeftOut()[.refused]?.others == 99)
  }

  @Test mutating func sumsBeyondTheUsersShareAreAddedUp() {
    var counts = KindCounts()
    counts[.cut] = 2
    counts[.insertion] = 3
    let sums = ClientEntries.sumsPerSecond
    let admitted = (0..<sums + 4).count { entries.admitSum(of: counts, user: 7, now: 5 + $0) }
    #expect(admitted == sums)
    let transitions = entries.takeLeftOut()[.user(7)]?.transitions
    #expect(transitions?.byName == ["cut": 8, "insertion": 12])
  }

  @Test mutating func accountsOfPastSecondsAreLetGo() {
    for second in 1...20 {
      for user in 0..<50 {
        _ = entries.admit(.user(UInt32(second * 50 + user)), now: second * 1_000_000)
      }
    }
    #expect(entries.accountCount <= 100)
  }
}
