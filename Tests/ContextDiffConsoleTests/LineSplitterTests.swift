import ContextDiffConsole
import Testing

@Suite struct LineSplitterTests {
  private func lines(_ chunks: [String], limit: Int = 8) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: limit)
    var lines: [LineSplitter.Line] = []
    for chunk in chunks {
      Array(chunk.utf8).withUnsafeBytes { bytes in
        splitter.split(bytes) { lines.append($0) }
      }
    }
    if let last = splitter.finish() { lines.append(last) }
    return lines
  }

  private func line(_ number: Int, _ text: String) -> LineSplitter.Line {
    LineSplitter.Line(number: number, bytes: .success(Array(text.utf8)))
  }

  private func tooLong(_ number: Int) -> LineSplitter.Line {
    LineSplitter.Line(number: number, bytes: .failure(.tooLong(limit: 8)))
  }

  @Test func everyChunkingGivesTheSameLines() {
    let text = "ab\n\ncd\r\nefghijkl\nm"
    let expected = [line(1, "ab"), line(3, "cd"), line(4, "efghijkl"), line(5, "m")]
    for size in 1...text.utf8.count {
      var chunks: [String] = []
      var rest = text[...]
      while !rest.isEmpty {
        chunks.append(String(decoding: rest.utf8.prefix(size), as: UTF8.self))
        rest =
          rest[
            (rest.utf8.index(rest.startIndex, offsetBy: size, limitedBy: rest.endIndex)
              ?? rest.endIndex)...]
      }
      #expect(lines(chunks) == expected, "chunks of \(size)")
    }
  }

  @Test func theLimitIsExact() {
    #expect(lines(["12345678\n"]) == [line(1, "12345678")])
    #expect(lines(["123456789\n"]) == [tooLong(1)])
    #expect(lines(["12345678\r\n", "12345678\r"]) == [line(1, "12345678"), line(2, "12345678")])
    #expect(lines(["123456789\r\n", "12345678\r\r\n"]) == [tooLong(1), tooLong(2)])
  }

  @Test func whatFollowsALineTooLongIsRead() {
    #expect(lines(["1234", "56789", "0\nab\n"]) == [tooLong(1), line(2, "ab")])
    #expect(lines(["123456789"]) == [tooLong(1)])
  }

  @Test func blankLinesCountAndArePassedOver() {
    #expect(lines(["\n \t\r\n\r\na\n \n"]) == [line(4, "a")])
    #expect(lines([" "]).isEmpty)
    #expect(lines([" a"]) == [line(1, " a")])
    // Too long to be kept, blank or not.
    #expect(lines(["         \n"]) == [tooLong(1)])
  }

  @Test func noInputHasNoLine() {
    #expect(lines([]).isEmpty)
    #expect(lines(["\n"]).isEmpty)
  }
}
