import Foundation
import TestSupport
import Testing
import Varlink

/// What Foundation reads in the same bytes, with its objects' members in the order of their names.
private func foundationTree(_ bytes: [UInt8]) -> JSONTree? {
  guard
    let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  else { return nil }
  return tree(of: value).sorted
}

private func tree(of value: Any) -> JSONTree {
  switch value {
  case let string as String: .string(string)
  case let decimal as NSDecimalNumber:
    // How it keeps integers below -10^18, among others.
    Int(decimal.stringValue).map(JSONTree.integer) ?? .number(decimal.doubleValue)
  case let number as NSNumber:
    switch String(cString: number.objCType) {
    case "c": .bool(number.boolValue)
    case "i", "q": .integer(number.intValue)
    default: .number(number.doubleValue)
    }
  case let array as [Any]: .array(array.map(tree(of:)))
  case let object as [String: Any]:
    .object(object.map { JSONTree.Member($0.key, tree(of: $0.value)) })
  default: .null
  }
}

@Suite struct JSONFoundationTests {
  @Test func readsRandomTextsAsFoundationDoes() {
    for seed in 0..<800 as Range<UInt64> {
      var maker = JSONTextMaker(random: SeededGenerator(seed: seed))
      let bytes = Array(maker.text().utf8)
      let read = tree(bytes)
      #expect(read != nil && read?.sorted == foundationTree(bytes), "seed \(seed)")
      #expect(read == ReferenceJSON.tree(bytes), "seed \(seed)")
    }
  }

  /// Foundation is no judge of what is wrong (it takes a trailing comma and a byte order mark), so
  /// that a plain reader of the grammar is one.
  @Test func judgesSpoiltTextsAsThePlainReaderDoes() {
    var accepted = 0
    for seed in 0..<12_000 as Range<UInt64> {
      var maker = JSONTextMaker(random: SeededGenerator(seed: seed % 400))
      var bytes = Array(maker.text().utf8)
      var random = SeededGenerator(seed: seed &+ 1 << 32)
      for _ in 0..<Int.random(in: 1...3, using: &random) { spoil(&bytes, &random) }
      let read = tree(bytes)
      #expect(read == ReferenceJSON.tree(bytes), "seed \(seed)")
      if read != nil { accepted += 1 }
    }
    // Both answers must be among those compared.
    #expect((500..<10_000).contains(accepted))
  }

  private func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let telling = Array("{}[],:\"\\u0123456789eE+-.tfn \0\n\u{1F}\u{7F}".utf8)
    let byte =
      random.chance(3)
      ? UInt8.random(in: .min ... .max, using: &random)
      : telling.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where place < bytes.count: bytes[place] = byte
    case 1 where place < bytes.count: bytes.remove(at: place)
    case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 3:
      let length = Int.random(in: 0...min(8, bytes.count - place), using: &random)
      bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    default: bytes.insert(byte, at: place)
    }
  }
}
