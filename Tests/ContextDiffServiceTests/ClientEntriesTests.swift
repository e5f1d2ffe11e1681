import ContextDiff
import ContextDiffService
import Testing

@Suite struct ClientEntriesTests {
  private var entries = ClientEntries(entriesPerSecond: ClientEntries.entriesPerSecond)

  @Test mutating func aFloodEndsInFewEntriesAndIsCounted() {
    let admitted = (0..<5_000).count { entries.admit(now: 1_000_000 + $0) }
    #expect(admitted == ClientEntries.entriesPerSecond)
    #expect(entries.takeLeftOut()?.others == 5_000 - ClientEntries.entriesPerSecond)
    #expect(entries.takeLeftOut() == nil)
    let next = entries.admit(now: 2_000_000)
    #expect(next)
  }

  @Test mutating func sumsBeyondTheUsersShareAreAddedUp() {
    var counts = KindCounts()
    counts[.cut] = 2
    counts[.insertion] = 3
    let sums = ClientEntries.sumsPerSecond
    let admitted = (0..<sums + 4).count { entries.admitSum(of: counts, now: 5 + $0) }
    #expect(admitted == sums)
    let transitions = entries.takeLeftOut()?.transitions
    #expect(transitions?.byName == ["cut": 8, "insertion": 12])
  }
}
