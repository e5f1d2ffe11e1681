import Foundation

extension Recording {
  private struct Line: Decodable {
    var text: String?
    var did: Did?
    var at: Int?
    var cut: Int?
    var put: String?
    var start: Int
    var end: Int
    var clipboard: String?
  }

  struct Unreadable: Error { var line: Int }

  /// The folder of recordings.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(component: "Recordings")

  /// The recordings of `text` in one of the two halves, `training` or `held-out`.
  static func all(of text: String, in half: String) throws -> [Recording] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(component: half).path)
    return try names.filter { $0.hasPrefix(text + "-") }.sorted().map {
      try Recording(named: half + "/" + $0.replacing(".jsonl", with: ""))
    }
  }

  /// The recording of that name in the folder of recordings.
  init(named name: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(components: name + ".jsonl"))
    let decoder = JSONDecoder()
    var fields: [Field] = []
    var steps: [Step] = []
    var clipboard: [Unicode.Scalar]?
    for (number, bytes) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      let line = try decoder.decode(Line.self, from: Data(bytes))
      if let text = line.text {
        fields.append(Field(Array(text.unicodeScalars), line.start, line.end))
        continue
      }
      guard var text = fields.last?.text, let did = line.did else { throw Unreadable(line: number) }
      if let at = line.at {
        text.replaceSubrange(at..<at + (line.cut ?? 0), with: (line.put ?? "").unicodeScalars)
      }
      if let now = line.clipboard { clipboard = Array(now.unicodeScalars) }
      fields.append(Field(text, line.start, line.end))
      steps.append(Step(did: did, field: fields[fields.count - 1], pasteboard: clipboard))
    }
    guard let start = fields.first else { throw Unreadable(line: 0) }
    self.init(name: name, start: start, steps: steps)
  }
}
