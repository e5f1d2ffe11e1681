import Testing
import JSON

private func withValue(_ text: String, _ body: (JSONValue) -> Void) throws {
  let parser = JSONParser()
  try Array(text.utf8).withUnsafeBytes { body(try parser.parse($0)) }
}

@Suite struct JSONValueTests {
  @Test func answersForItsTypeOnly() throws {
    try withValue(#"{"s":"1","i":1,"n":1.0,"b":true,"z":null,"a":[1],"o":{"x":1}}"#) { object in
      #expect(object.isObject && !object.isArray && object.count == 7)
      #expect(object["s"].string == "1" && object["s"].integer == nil && object["s"].bool == nil)
      #expect(object["i"].integer == 1 && object["i"].double == 1 && object["i"].string == nil)
      #expect(object["n"].integer == nil && object["n"].double == 1)
      #expect(object["b"].bool == true && object["b"].integer == nil)
      #expect(object["z"].isNull && object["z"].bool == nil && object["z"].utf8 == nil)
      #expect(object["a"].isArray && object["a"].count == 1 && !object["a"].isNull)
      #expect(object["o"]["x"].integer == 1)
      #expect(object["missing"].isNull && object["missing"]["deeper"].isNull)
      #expect(object["a"]["x"].isNull)
    }
  }

  @Test func comparesNamesOnceUnescaped() throws {
    try withValue(#"{"\u0061bc":1,"abcd":2,"a":3}"#) { object in
      var places: [Int] = []
      object.forEachMember { name, value in
        switch name {
        case "abc": places.append(1)
        case "abcd": places.append(2)
        case "a": places.append(3)
        default: places.append(0)
        }
      }
      #expect(places == [1, 2, 3])
    }
  }

  @Test func lendsAStringsBytesWithoutItsEscapes() throws {
    let text = #"["", "abc", "あ", "\u3042", "\ud83d\ude00", "a\nb\u0000", "\"\\", "\/\b\f\r\t"]"#
    try withValue(text) { array in
      var strings: [[UInt8]?] = []
      array.forEachElement { element in
        strings.append(element.utf8.map(Array.init))
        #expect(element.utf8.map(Array.init) == element.string.map { Array($0.utf8) })
      }
      let expected = ["", "abc", "あ", "あ", "😀", "a\nb\0", "\"\\", "/\u{8}\u{c}\r\t"]
      #expect(strings == expected.map { Array($0.utf8) })
    }
  }

  @Test func whatIsAbsentIsNullAndEmpty() {
    #expect(JSONValue.null.isNull && JSONValue.null.count == 0)
    JSONValue.null.forEachMember { _, _ in Issue.record("null has no members") }
    JSONValue.null.forEachElement { _ in Issue.record("null has no elements") }
  }

  @Test func passesOnWhatAVisitorThrows() throws {
    struct Enough: Error, Equatable {}
    try withValue("[1,2,3]") { array in
      var seen = 0
      #expect(throws: Enough.self) {
        try array.forEachElement { _ in
          seen += 1
          if seen == 2 { throw Enough() }
        }
      }
      #expect(seen == 2)
    }
  }
}
