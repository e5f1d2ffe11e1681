import TestSupport
import Testing
import JSON

private func written(
  capacity: Int = 64, _ body: (inout JSONWriter) -> Void
) -> String {
  var writer = JSONWriter(capacity: capacity)
  body(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite struct JSONWriterTests {
  @Test func putsCommasWhereTheyAreDue() {
    let text = written { writer in
      writer.beginObject()
      writer.name("a")
      writer.beginArray()
      writer.integer(1)
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.string("x" as StaticString)
      writer.string("y" as String)
      writer.bool(true)
      writer.null()
      writer.double(1)
      writer.endArray()
      writer.name("b" as String)
      writer.bool(false)
      writer.name("c")
      writer.beginObject()
      writer.name("d")
      writer.null()
      writer.endObject()
      writer.endObject()
    }
    #expect(text == #"{"a":[1,[],{},"x","y",true,null,1.0],"b":false,"c":{"d":null}}"#)
  }

  @Test(arguments: [
    (0, "0"), (7, "7"), (10, "10"), (-1, "-1"), (48_210, "48210"),
    (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808"),
  ])
  func writesIntegers(_ value: Int, _ text: String) {
    #expect(written { $0.integer(value) } == text)
  }

  @Test(arguments: [
    (1.0, "1.0"), (-0.0, "-0.0"), (3.141592653589793, "3.141592653589793"), (1e300, "1e+300"),
    (Double.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (.nan, "null"),
  ])
  func writesDoubles(_ value: Double, _ text: String) {
    #expect(written { $0.double(value) } == text)
  }

  @Test func escapesQuotationMarksBackslashesAndControlCharactersOnly() {
    let text = written { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}\u{2028}あ😀" as String) }
    #expect(text == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}\u{2028}あ😀\"")
  }

  @Test func escapesAtEveryPlaceOfALongString() {
    for length in 0..<40 {
      for place in 0...length {
        for odd in ["\"", "\\", "\n", "\u{1}", "é", "あ"] {
          var value = String(repeating: "a", count: length)
          value.insert(contentsOf: odd, at: value.index(value.startIndex, offsetBy: place))
          #expect(tree(written { $0.string(value) }.utf8) == .string(value))
        }
      }
    }
  }

  @Test func readsBackWhatItWroteWhateverItsFirstCapacity() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let values = (0..<40).map { _ in
        String(
          String.UnicodeScalarView(
            (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
              Unicode.Scalar(
                UInt32.random(in: 0...(random.chance(2) ? 0x7F : 0xFFFF), using: &random))
            }))
      }
      let text = written(capacity: 1) { writer in
        writer.beginArray()
        for value in values { writer.string(value) }
        writer.endArray()
      }
      #expect(tree(text.utf8) == .array(values.map(JSONTree.string)), "seed \(seed)")
    }
  }

  @Test func writesAParsedValueAgain() {
    for seed in 0..<1000 as Range<UInt64> {
      var maker = JSONTextMaker(random: SeededGenerator(seed: seed))
      let bytes = Array(maker.text().utf8)
      let parser = JSONParser()
      let again = bytes.withUnsafeBytes { bytes in
        (try? parser.parse(bytes)).map { value in written { $0.value(value) } }
      }
      #expect(again.flatMap { tree($0.utf8) } == tree(bytes), "seed \(seed)")
    }
  }

  @Test func startsAnewAfterRemoveAll() {
    var writer = JSONWriter()
    writer.beginArray()
    for _ in 0..<100_000 { writer.string("0123456789" as StaticString) }
    writer.removeAll()
    writer.integer(12)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "12")
  }
}
