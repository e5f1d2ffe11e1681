import Testing
import Varlink

@Suite struct ExclusiveTests {
  @Test func whatItHoldsIsChangedAndLookedAt() {
    let list = Exclusive([1])
    list.value.append(2)
    #expect(list.value == [1, 2])
  }

  @Test func severalLookAtItAtATime() {
    let list = Exclusive([1])
    look(list.value) { look(list.value) { #expect(list.value == [1]) } }
    list.value.append(2)
    #expect(list.value == [1, 2])
  }

  @Test func whoFailsGivesItBack() {
    struct Failure: Error {}
    func fail(_ list: inout [Int]) throws { throw Failure() }
    let list = Exclusive([1])
    #expect(throws: Failure.self) { try fail(&list.value) }
    list.value.append(2)
    #expect(list.value == [1, 2])
  }
}

private func look(_ list: borrowing [Int], _ body: () -> Void) { body() }
