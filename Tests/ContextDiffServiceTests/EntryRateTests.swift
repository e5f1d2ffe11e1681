import ContextDiffService
import Testing

@Suite struct EntryRateTests {
  @Test func soManyInASecondAndNoMore() {
    var rate = EntryRate(entriesPerSecond: 3)
    #expect((0..<5).map { rate.admit(now: 7_000_000 + $0) } == [true, true, true, false, false])
  }

  @Test func theNextSecondBeginsAnew() {
    var rate = EntryRate(entriesPerSecond: 1)
    #expect(rate.admit(now: 5_000_000))
    #expect(!rate.admit(now: 5_999_999))
    #expect(rate.admit(now: 6_000_000))
    #expect(!rate.admit(now: 6_999_999))
  }
}
