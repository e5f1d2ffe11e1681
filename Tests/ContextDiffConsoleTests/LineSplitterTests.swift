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

  private func complete(_ lines: String...) -> [LineSplitter.Line] {
    lines.map { .complete(Array($0.utf8)) }
  }

  @Test func everyChunkingGivesTheSameLines() {
    let text = "ab\n\ncd\r\nefghijkl\nm"
    let expected = complete("ab", "", "cd", "efghijkl", "m")
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
    #expect(lines(["12345678\n"]) == complete("12345678"))
    #expect(lines(["123456789\n"]) == [.tooLong])
  }

  @Test func whatFollowsALineTooLongIsRead() {
    #expect(lines(["1234", "56789", "0\nab\n"]) == [.tooLong] + complete("ab"))
    #expect(lines(["123456789"]) == [.tooLong])
  }

  @Test func noInputHasNoLine() {
    #expect(lines([]).isEmpty)
    #expect(lines(["\n"]) == complete(""))
  }
}
