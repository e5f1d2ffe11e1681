import ContextDiffService
import Testing

@Suite struct EntryRateTests {
  @Test func soManyInASecondAndNoMore() {
    var rate = EntryRate(entriesPerSecond: 3)
    let admitted = (0..<5).map { rate.admit(now: 7_000_000 + $0) }
    #expect(admitted == [true, true, true, false, false])
  }

  @Test func theNextSecondBeginsAnew() {
    var rate = EntryRate(entriesPerSecond: 1)
    let times = [5_000_000, 5_999_999, 6_000_000, 6_999_999]
    let admitted = times.map { rate.admit(now: $0) }
    #expect(admitted == [true, false, true, false])
  }
}
