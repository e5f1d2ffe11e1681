import ContextDiffService
import Testing

@Suite struct LastSequencesTests {
  @Test("A user who comes back goes on with the instance and the number")
  func comesBack() throws {
    var lastSequences = try LastSequences()
    let first = lastSequences.last(of: 1000)
    #expect(first.instance == lastSequences.instance && first.sequence == 0)
    lastSequences.keep(("an earlier one", 7), of: 1000)
    #expect(lastSequences.last(of: 1000) == ("an earlier one", 7))
    lastSequences.remove(1000)
    #expect(lastSequences.last(of: 1000) == (lastSequences.instance, 0))
  }

  @Test("Beyond the limit all are forgotten, and numbers begin anew in another instance")
  func beyondTheLimit() throws {
    var lastSequences = try LastSequences()
    let instance = lastSequences.instance
    let limit = UInt32(LastSequences.limit)
    // Users without events take no place.
    for userID in 0...limit { lastSequences.keep((instance, 0), of: userID) }
    for userID in 0..<limit { lastSequences.keep((instance, 1), of: userID) }
    #expect(lastSequences.last(of: 0) == (instance, 1))
    lastSequences.keep((instance, 9), of: limit)
    #expect(lastSequences.instance != instance)
    #expect(lastSequences.last(of: 0) == (lastSequences.instance, 0))
    #expect(lastSequences.last(of: limit) == (instance, 9))
  }
}
