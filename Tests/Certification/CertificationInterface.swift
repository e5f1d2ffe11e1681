import Varlink

/// `org.varlink.certification`: <https://github.com/varlink>, which names it for testing
/// implementations against each other.
enum CertificationInterface {
  static let name = "org.varlink.certification"

  static let description = """
    # Interface to test Varlink implementations against each other.
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)
    method Test01(client_id: string) -> (bool: bool)
    method Test02(client_id: string, bool: bool) -> (int: int)
    method Test03(client_id: string, int: int) -> (float: float)
    method Test04(client_id: string, float: float) -> (string: string)
    method Test05(client_id: string, string: string) -> (
      bool: bool, int: int, float: float, string: string
    )
    method Test06(client_id: string, bool: bool, int: int, float: float, string: string) -> (
      struct: (bool: bool, int: int, float: float, string: string)
    )
    method Test07(
      client_id: string, struct: (bool: bool, int: int, float: float, string: string)
    ) -> (map: [string]string)
    method Test08(client_id: string, map: [string]string) -> (set: [string]())
    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

    # Returns more than one reply with "continues".
    method Test10(client_id: string, mytype: MyType) -> (string: string)

    # Must be called as "oneway".
    method Test11(client_id: string, last_more_replies: []string) -> ()
    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()
    error CertificationError (wants: object, got: object)

    """

  /// What each step but the first is answered with; the next step's parameters are that and the
  /// client's id.
  static func answers() throws -> [(method: String, reply: JSONTree)] {
    let structure =
      #"{"bool": false, "int": 2, "float": 3.141592653589793, "string": "a lot of string"}"#
    let object =
      #"{"method": "org.varlink.certification.Test09", "parameters": {"map": {"foo": "Foo", "bar": "Bar"}}}"#
    let interface = """
      {
        "foo": [null, {"foo": "foo", "bar": "bar"}, null, {"one": "foo", "two": "bar"}],
        "anon": {"foo": true, "bar": false}
      }
      """
    let texts = [
      ("Test01", #"{"bool": true}"#),
      ("Test02", #"{"int": 1}"#),
      ("Test03", #"{"float": 1.0}"#),
      ("Test04", #"{"string": "ping"}"#),
      ("Test05", structure),
      ("Test06", #"{"struct": \#(structure)}"#),
      ("Test07", #"{"map": {"foo": "Foo", "bar": "Bar"}}"#),
      ("Test08", #"{"set": {"one": {}, "two": {}, "three": {}}}"#),
      (
        "Test09",
        #"""
        {"mytype": {
          "object": \#(object), "enum": "two", "struct": {"first": 1, "second": "2"},
          "array": ["one", "two", "three"], "dictionary": {"foo": "Foo", "bar": "Bar"},
          "stringset": {"one": {}, "two": {}, "three": {}}, "nullable": null,
          "nullable_array_struct": null, "interface": \#(interface)
        }}
        """#
      ),
    ]
    return try texts.map { ($0.0, try JSONTree(text: $0.1)) }
  }

  /// The replies that Test10 streams.
  static let streamed = (1...10).map { "Reply number \($0)" }
}
