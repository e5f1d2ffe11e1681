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

  /// The recording of that name in the folder of recordings.
  init(named name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(
      contentsOf: tests.appending(components: "Recordings", name + ".jsonl"))
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
