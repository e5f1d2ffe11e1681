import ContextDiff
import Testing

struct SessionCopyTests {
  private let classifier = Classifier()

  @Test("A copy of a session goes on by itself, and so does what it was copied from")
  func copiesGoOnByThemselves() {
    var session = Session()
    _ = session.post(new: Snapshot(before: "abc", after: "xyz"), with: classifier)
    var copy = session
    let typed = session.post(new: Snapshot(before: "abcd", after: "xyz"), with: classifier)
    #expect(typed?.inserted == "d")
    #expect(copy.latest == Snapshot(before: "abc", after: "xyz"))
    #expect(copy.remembered == ("abc", "", "xyz"))
    let erased = copy.post(new: Snapshot(before: "ab", after: "xyz"), with: classifier)
    #expect(erased?.removed == "c")
    #expect(session.latest == Snapshot(before: "abcd", after: "xyz"))
    #expect(session.remembered == ("abcd", "", "xyz"))
    let selected = session.post(
      new: Snapshot(before: "abcd", selected: "xy", after: "z"), with: classifier)
    #expect(selected?.kind == .selection)
    #expect(copy.remembered == ("ab", "", "xyz"))
  }
}
