import ContextDiffService
import Glibc
import Testing

/// docs/Limits.md says what the code does.
@Suite struct LimitsDocumentTests {
  /// The rows of the table of resources: name, limit and settings.
  private static func rows() throws -> [(resource: String, limit: Int?, settings: Substring)] {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/\(folder)/docs/Limits.md", "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      guard cells.count == 5, cells[0].hasPrefix("`") else { return nil }
      let limit = cells[2].prefix { $0.isNumber }
      return (cells[0].split(separator: "`")[0].description, Int(limit), cells[3])
    }
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
