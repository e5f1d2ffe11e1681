import Testing
import JSON

/// The value that a text is, as something that can be compared; `nil` where it is no JSON text.
func tree(_ bytes: some Sequence<UInt8>, maximumDepth: Int = 64) -> JSONTree? {
  let parser = JSONParser(maximumDepth: maximumDepth)
  return Array(bytes).withUnsafeBytes { bytes in
    (try? parser.parse(bytes)).map { JSONTree($0) }
  }
}

private func failure(_ text: String, maximumDepth: Int = 64) -> JSONError? {
  let parser = JSONParser(maximumDepth: maximumDepth)
  return Array(text.utf8).withUnsafeBufferPointer { bytes in
    do throws(JSONError) {
      _ = try parser.parse(UnsafeRawBufferPointer(bytes))
      return nil
    } catch {
      return error
    }
  }
}

@Suite struct JSONParserTests {
  @Test(arguments: [
    ("null", JSONTree.null), (" \t\r\n true \n", .bool(true)), ("false", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("120", .integer(120)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("1.5", .number(1.5)), ("-0.25e+2", .number(-25)), ("1E3", .number(1000)),
    (#""""#, .string("")), (#""あ😀é""#, .string("あ😀é")),
    (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u3042\uD83D\uDE00\u00e9\u0000""#, .string("あ😀é\0")),
    (#""か\u3099""#, .string("か\u{3099}")),
    ("[]", .array([])), ("[ ]", .array([])), ("{ }", .object([])),
    ("[1,[2,[]],3]", .array([.integer(1), .array([.integer(2), .array([])]), .integer(3)])),
    (
      #"{"a":{"b":[{}]},"":null}"#,
      .object([
        .init("a", .object([.init("b", .array([.object([])]))])), .init("", .null),
      ])
    ),
  ])
  func readsWhatIsJSON(_ text: String, _ value: JSONTree) {
    #expect(tree(text.utf8) == value)
  }

  @Test(arguments: [
    ("", JSONError.Reason.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2),
    ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3), ("TRUE", .unexpectedByte, 0),
    ("NaN", .unexpectedByte, 0), ("\u{FEFF}1", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0),
    ("01", .trailingBytes, 1), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1),
    ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("1.", .unexpectedEnd, 2),
    ("1.e1", .invalidNumber, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
    ("1ex", .invalidNumber, 2), ("0x10", .trailingBytes, 1), ("1 2", .trailingBytes, 2),
    ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3),
    ("[1}", .unexpectedByte, 2), ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
    ("]", .unexpectedByte, 0), ("{,}", .unexpectedByte, 1), (#"{"a"}"#, .unexpectedByte, 4),
    (#"{"a":}"#, .unexpectedByte, 5), (#"{"a":1,}"#, .unexpectedByte, 7),
    ("{1:1}", .unexpectedByte, 1), (#"{"a":1]"#, .unexpectedByte, 6),
    (#"{"a":1"#, .unexpectedEnd, 6), (#"{"a""#, .unexpectedEnd, 4), ("/**/1", .unexpectedByte, 0),
    (#""abc"#, .unexpectedEnd, 4), ("\"\n\"", .controlCharacter, 1),
    ("\"\u{1F}\"", .controlCharacter, 1), (#""\x""#, .invalidEscape, 1),
    (#""\u12g4""#, .invalidEscape, 1), (#""\uD83D""#, .loneSurrogate, 1),
    (#""\uD83Dx\uDE00""#, .loneSurrogate, 1), (#""\uDE00\uD83D""#, .loneSurrogate, 1),
    (#""\uD83D\uD83D""#, .loneSurrogate, 1), (#""\uDE00""#, .loneSurrogate, 1),
    (#"{"a":1,"a":2}"#, .duplicateName, 12), (#"{"a":1,"b":2,"\u0061":3}"#, .duplicateName, 23),
    (#"[{"x":{"":1,"":2}}]"#, .duplicateName, 16),
  ])
  func rejectsWhatIsNot(_ text: String, _ reason: JSONError.Reason, _ offset: Int) throws {
    let error = try #require(failure(text))
    #expect(error.reason == reason)
    #expect(error.offset == offset)
  }

  @Test func rejectsEveryBeginningOfAText() {
    let text = Array(#"{"aé":[1.5e3,-20,true,"あ\n\uD83D\uDE00"],"b":{"c":null}}"#.utf8)
    #expect(tree(text) != nil)
    for length in text.indices {
      #expect(tree(text[..<length]) == nil, "\(length) bytes")
    }
  }

  /// Each byte at which UTF-8's rules change.
  private let edges: [UInt8] = [
    0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xE2, 0xE3,
    0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  @Test(arguments: [
    "かなと漢字が続いている", "漢字とかなが、二十一より多く、途切れずに続いている", "Длинное слово", "ascii as it is typed",
    "aあéか👍b日本語の",
  ])
  func acceptsExactlyWhatIsUTF8WithinARun(_ run: String) {
    // Each place of a run damaged, with more or less behind it: runs are read in blocks.
    let parser = JSONParser()
    var differences = 0
    for rest in 0..<18 {
      let text = Array("\"\(run)\(String(repeating: "z", count: rest))\"".utf8)
      for place in 1..<text.count - 1 - rest {
        for edge in edges {
          var damaged = text
          damaged[place] = edge
          let wanted = String(validating: damaged[1..<damaged.count - 1], as: UTF8.self)
          damaged.withUnsafeBytes { bytes in
            if (try? parser.parse(bytes))?.string != wanted { differences += 1 }
            var taken: String?
            let isTaken = parser.read(bytes) {
              taken = $0.string().map { String(decoding: $0, as: UTF8.self) }
              return $0.isAtEnd
            }
            if taken != wanted || isTaken != (wanted != nil) { differences += 1 }
          }
        }
      }
    }
    #expect(differences == 0)
  }

  @Test func acceptsExactlyWhatIsUTF8() {
    // In every combination of four, at every place in a word of eight.
    let parser = JSONParser()
    var differences = 0
    var place = 0
    for first in edges {
      for second in edges {
        for third in edges {
          for fourth in edges {
            place = (place + 1) % 8
            let content =
              Array("aaaaaaa".utf8.prefix(place)) + [first, second, third, fourth]
              + Array("あb".utf8)
            let quotation = UInt8(ascii: "\"")
            let read = ([quotation] + content + [quotation]).withUnsafeBytes { bytes in
              (try? parser.parse(bytes))?.string
            }
            if read != String(validating: content, as: UTF8.self) { differences += 1 }
          }
        }
      }
    }
    #expect(differences == 0)
  }

  @Test func allowsContainersUpToTheDepthOnly() {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(failure(nested(64)) == nil)
    #expect(failure(nested(65))?.reason == .tooDeep(limit: 64))
    #expect(failure(String(repeating: "[", count: 1_000_000))?.reason == .tooDeep(limit: 64))
    #expect(failure(#"{"a":[1]}"#, maximumDepth: 2) == nil)
    #expect(failure(#"{"a":[[1]]}"#, maximumDepth: 2)?.reason == .tooDeep(limit: 2))
    // One after the other is not within each other.
    #expect(failure("[[],[],[],[]]", maximumDepth: 2) == nil)
    #expect(failure("1", maximumDepth: 0) == nil)
    #expect(failure("[]", maximumDepth: 0)?.reason == .tooDeep(limit: 0))
  }

  @Test func aDepthThatCannotBeEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = JSONParser(maximumDepth: -1) }
    await #expect(processExitsWith: .failure) { _ = JSONParser(maximumDepth: 513) }
  }

  @Test(arguments: [2, 15, 16, 17, 18, 100, 5000])
  func findsANameThatStandsTwiceAmongMany(_ count: Int) {
    let names = (0..<count).map { "\"name\($0)\":\($0)" }
    #expect(failure("{\(names.joined(separator: ","))}") == nil)
    for place in Set([0, count / 2, count - 1]) {
      let again = names + ["\"name\(place)\":0"]
      #expect(failure("{\(again.joined(separator: ","))}")?.reason == .duplicateName)
      let escaped = names + ["\"n\\u0061me\(place)\":0"]
      #expect(failure("{\(escaped.joined(separator: ","))}")?.reason == .duplicateName)
    }
  }

  @Test func equalNamesInDifferentNormalFormsAreTwoNames() {
    #expect(failure("{\"\u{304C}\":1,\"\u{304B}\u{3099}\":2}") == nil)
  }

  @Test func reusesItsMemoryForTextsOfAnyLength() {
    let parser = JSONParser()
    for length in [1, 100_000, 3, 1_000_000, 5] {
      let text = "[" + String(repeating: "1,", count: length) + "1]"
      Array(text.utf8).withUnsafeBytes { bytes in
        #expect((try? parser.parse(bytes))?.count == length + 1)
      }
    }
  }
}
