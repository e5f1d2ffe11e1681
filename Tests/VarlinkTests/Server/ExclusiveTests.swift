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

  @Test("Who changes it while somebody else has it ends the program")
  func overlap() async {
    await #expect(processExitsWith: .failure) {
      let list = Exclusive([1])
      change(&list.value) { list.value.append(2) }
    }
    await #expect(processExitsWith: .failure) {
      let list = Exclusive([1])
      change(&list.value) { look(list.value) {} }
    }
    await #expect(processExitsWith: .failure) {
      // What can be copied may be before it is looked at.
      let only = Exclusive(Only())
      look(only.value) { only.value.number = 2 }
    }
  }
}

private struct Only: ~Copyable {
  var number = 1
}

private func look<Value: ~Copyable>(_ value: borrowing Value, _ body: () -> Void) { body() }
private func change(_ list: inout [Int], _ body: () -> Void) { body() }
