import Foundation
import Testing

@Suite("The engine by itself")
struct IndependenceTests {
  @Test("It imports nothing but the standard library")
  func imports() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appending(components: "Sources", "ContextDiff").resolvingSymlinksInPath()
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files {
      // The tutorial's programs are no part of it.
      if file.pathExtension == "docc" { files.skipDescendants() }
      guard file.pathExtension == "swift" else { continue }
      count += 1
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        #expect(!words.prefix(3).contains("import"), "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 20)
  }
}
