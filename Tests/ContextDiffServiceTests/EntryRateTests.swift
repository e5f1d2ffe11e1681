import ContextDiff
import ContextDiffService
import Testing

@Suite struct EntryRateTests {
  @Test func twoHundredInASecondAreAdmittedAndTheRestSummedUp() {
    var rate = EntryRate()
    let admitted = (0..<300).map { rate.admit($0 % 2 == 0 ? .insertion : .deletion, now: $0 * 1_000) }
    #expect(admitted.prefix(200).allSatisfy { $0 })
    #expect(admitted.dropFirst(200).allSatisfy { !$0 })
    #expect(rate.takeLeftOut()?.byName == ["insertion": 50, "deletion": 50])
    #expect(rate.takeLeftOut() == nil)
  }

  @Test func theNextSecondBeginsAnew() {
    var rate = EntryRate()
    for _ in 0..<201 { _ = rate.admit(.cut, now: 5_000_000) }
    #expect(!rate.admit(.cut, now: 5_999_999))
    #expect(rate.admit(.cut, now: 6_000_000))
    #expect(rate.takeLeftOut()?.total == 2)
  }
}
