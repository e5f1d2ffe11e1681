import Testing
import Varlink

@Suite struct VarlinkInterfaceTests {
  @Test func namesItsMethodsInOrder() throws {
    let description = """
      # Says what it is.
      interface org.example.more-2.x1
      type Kind (one, two) # ends here
      type State (
        # a field
        kind: ?Kind, list: []?[string](a: int, b: ?[]string), set: [string](), any: any
      )
      method First(kind: Kind) -> (state: State)
      error Wrong (why: string)
      method Second()->()
      error Nothing ()
      """
    let interface = try VarlinkInterface(description: description)
    #expect(interface.name == "org.example.more-2.x1")
    #expect(interface.methods == ["First", "Second"])
    #expect(interface.description == description)
  }

  @Test(arguments: [
    ("", "expected 'interface'", 1),
    ("# only a comment", "expected 'interface'", 1),
    ("interface", "expected an interface's name", 1),
    ("interface one", "expected an interface's name", 1),
    ("interface 1.two", "expected an interface's name", 1),
    ("interface a..b", "expected an interface's name", 1),
    ("interface a.b-", "expected an interface's name", 1),
    ("interface a.b\nnonsense", "expected 'type', 'method' or 'error'", 2),
    ("interface a.b\nmethod lower() -> ()", "expected a name that begins with a capital letter", 2),
    ("interface a.b\n\nmethod A() -> ()\nmethod A() -> ()", "'A' is defined twice", 4),
    ("interface a.b\nmethod A() - ()", "expected '->'", 2),
    ("interface a.b\nmethod A -> ()", "expected '('", 2),
    ("interface a.b\nmethod A() -> (", "expected a field's name", 2),
    ("interface a.b\nmethod A(x) -> ()", "expected ':'", 2),
    ("interface a.b\nmethod A(x: int -> ()", "expected ',' or ')'", 2),
    ("interface a.b\nmethod A(x: number) -> ()", "'number' is no type", 2),
    ("interface a.b\nmethod A(x: ) -> ()", "expected a type", 2),
    ("interface a.b\nmethod A(x: ??int) -> ()", "expected a type", 2),
    ("interface a.b\nmethod A(x: int, x: int) -> ()", "'x' stands twice", 2),
    ("interface a.b\ntype T (a, b: int)", "expected no type", 2),
    ("interface a.b\nerror E", "expected '('", 2),
  ])
  func saysWhatIsWrongAndWhere(_ description: String, _ reason: String, _ line: Int) {
    let error = #expect(throws: VarlinkInterface.DescriptionError.self) {
      try VarlinkInterface(description: description)
    }
    #expect(error?.reason == reason)
    #expect(error?.line == line)
  }
}
