import ContextDiffService
import ContextDiffWire
import Glibc
import Testing

/// docs/Limits.md says what the code does.
@Suite struct LimitsDocumentTests {
  /// The rows of the table of resources: name, limit and settings.
  private static func rows() throws -> [(resource: String, limit: Int?, settings: Substring)] {
    try lines().compactMap { cells in
      guard cells.count == 5, cells[0].hasPrefix("`") else { return nil }
      let limit = cells[2].prefix { $0.isNumber }
      return (cells[0].split(separator: "`")[0].description, Int(limit), cells[3])
    }
  }

  /// The document's lines, in cells.
  private static func lines() throws -> [[Substring]] {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/\(folder)/docs/Limits.md", "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.drop { $0 == " " } }
    }
  }

  /// The number that a line of the second table begins its limit with.
  private static func limit(_ what: String) throws -> Int? {
    let cells = try #require(try lines().first { $0.first?.hasPrefix(what) == true })
    return Int(cells[1].prefix { $0.isNumber || $0 == "," }.filter(\.isNumber))
  }

  @Test func itsLimitsOfNamesAreThoseOfTheWire() throws {
    let longest = try #require(try LimitsDocumentTests.limit("a session's name"))
    for (length, isName) in [(longest, true), (longest + 1, false)] {
      #expect(SessionParameters.isName([UInt8](repeating: 0x61, count: length)) == isName)
    }
    for (name, isName) in [
      ("é", true), ("a b", true), ("\u{A0}", true), ("a\n", false), ("\u{7F}", false),
      ("a\u{85}b", false), ("\u{9B}", false), ("", false),
    ] {
      #expect(SessionParameters.isName(name.utf8) == isName)
    }
    #expect(
      try LimitsDocumentTests.limit("names in a filter") == SubscribeParameters.sessionLimit)
  }

  @Test func itListsEveryResourceAndNoOther() throws {
    #expect(try LimitsDocumentTests.rows().map(\.resource) == Resource.allCases.map { "\($0)" })
  }

  @Test func itsLimitsAreTheDefaultOnes() throws {
    let limits = Quota.Limits(Settings())
    for (row, resource) in zip(try LimitsDocumentTests.rows(), Resource.allCases) {
      #expect(row.limit == limits.perUser(resource), "\(row.resource)")
    }
  }

  @Test func itsSettingsAreSettings() throws {
    let named = try LimitsDocumentTests.rows().flatMap { row in
      row.settings.split(separator: "`").filter { $0.hasPrefix("limits.") }.map(String.init)
    }
    #expect(named.count == 5)
    for name in named { #expect(Setting.named(name) != nil, "\(name)") }
  }
}
