import Testing
import Varlink

@Suite struct TurnsTests {
  @Test func whoComesAnewGoesBeforeWhoHadATurn() {
    var turns = Turns<String>()
    turns.addAgain("busy")
    turns.add("new")
    #expect(turns.next() == "new")
    #expect(turns.next() == "busy")
    #expect(turns.next() == nil)
    #expect(turns.isEmpty)
  }

  @Test func thoseWithMuchToDoGetEveryOtherRoundAtLeast() {
    var turns = Turns<String>()
    for member in ["a", "b"] { turns.addAgain(member) }
    for member in ["x", "y", "z"] { turns.add(member) }
    // One turn a round, as where each turn is a long one.
    let served = (0..<5).map { _ in
      turns.beginRound()
      return turns.next()
    }
    #expect(served == ["x", "a", "y", "b", "z"])
  }

  @Test func nobodyIsLostHoweverManyThereAre() {
    var turns = Turns<Int>()
    var served: [Int] = []
    for number in 0..<1_000 {
      turns.add(number)
      if number % 3 == 0, let member = turns.next() { served.append(member) }
    }
    while let member = turns.next() { served.append(member) }
    #expect(served == Array(0..<1_000))
  }
}
