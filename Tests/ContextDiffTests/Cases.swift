import ContextDiff
import Foundation
import Testing

/// The model's own cases, one JSON object a line.
enum Cases {
  struct Pair: Decodable, CustomTestStringConvertible {
    var name: String
    var old: Fields
    var new: Fields
    var pasteboard: String?
    var basicKind: String
    var kind: String

    var testDescription: String { name }
  }

  struct Cut: Decodable, CustomTestStringConvertible {
    var document: String
    var start: Int
    var end: Int
    var snapshot: Fields

    var testDescription: String { document.debugDescription + " \(start)–\(end)" }
  }

  struct Fields: Decodable {
    var before: String?
    var selected: String?
    var after: String?

    var snapshot: Snapshot { Snapshot(before: before, selected: selected, after: after) }
  }

  static func read<Case: Decodable>(_ file: String) throws -> [Case] {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(components: "Cases", file)
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Case.self, from: Data($0.utf8))
    }
  }
}
