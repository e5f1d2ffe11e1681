import TestSupport
import Testing
import Varlink

/// What a reader made of some bytes.
private struct Reading: Equatable {
  var frames: [[UInt8]] = []
  var isTooLarge = false
}

private func read(
  _ bytes: [UInt8], limit: Int, cutBy lengths: some Sequence<Int>,
  stoppingAfter pauses: Set<Int> = []
) -> Reading {
  let reader = FrameReader()
  var reading = Reading()
  var lengths = lengths.makeIterator()
  var rest = bytes[...]
  func feed(_ chunk: [UInt8]) -> Bool {
    var hasStopped = false
    do throws(FrameReader.FrameTooLarge) {
      try chunk.withUnsafeBufferPointer { (chunk) throws(FrameReader.FrameTooLarge) in
        var rest = UnsafeRawBufferPointer(chunk)
        while !hasStopped, let frame = try reader.next(in: &rest, limit: limit) {
          reading.frames.append(Array(frame))
          hasStopped = pauses.contains(reading.frames.count)
        }
        if hasStopped { reader.keep(rest) }
      }
    } catch {
      reading.isTooLarge = true
    }
    return hasStopped
  }
  while !rest.isEmpty, !reading.isTooLarge {
    let chunk = rest.prefix(max(1, lengths.next() ?? .max))
    rest = rest.dropFirst(chunk.count)
    var hasStopped = feed(Array(chunk))
    while hasStopped, !reading.isTooLarge { hasStopped = feed([]) }
  }
  return reading
}

/// What the bytes hold, found the simple way.
private func expected(_ bytes: [UInt8], limit: Int) -> Reading {
  var reading = Reading()
  for part in bytes.split(separator: 0, omittingEmptySubsequences: false) {
    guard part.count <= limit else {
      reading.isTooLarge = true
      return reading
    }
    reading.frames.append(Array(part))
  }
  // What follows the last NUL is no frame yet.
  reading.frames.removeLast()
  return reading
}

@Suite struct FrameReaderTests {
  private static let texts: [[UInt8]] = [
    Array("one\0two\0\0three\0".utf8),
    Array("\0\0\0\0".utf8),
    Array("no end".utf8),
    Array("あいう\0えお\0か".utf8),
    Array("\0a\0bb\0ccc\0dddd\0eeeee\0ffffff\0rest".utf8),
  ]

  @Test(arguments: texts)
  func everyChunkingInTwoAndThreeGivesTheSameFrames(_ bytes: [UInt8]) {
    for limit in [3, 4, 5, 6, 100] {
      let wanted = expected(bytes, limit: limit)
      #expect(read(bytes, limit: limit, cutBy: []) == wanted)
      #expect(read(bytes, limit: limit, cutBy: repeatElement(1, count: bytes.count)) == wanted)
      for first in 0...bytes.count {
        for second in 1...bytes.count + 1 {
          #expect(read(bytes, limit: limit, cutBy: [first, second]) == wanted)
        }
      }
    }
  }

  @Test func randomChunksPausesAndLimitsGiveTheSameFrames() {
    for seed in 0..<2000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        random.chance(9) ? 0 : UInt8.random(in: 1...255, using: &random)
      }
      let limit = Int.random(in: 0...60, using: &random)
      let lengths = bytes.map { _ in Int.random(in: 1...40, using: &random) }
      let pauses = Set(bytes.indices.filter { _ in random.chance(3) })
      let reading = read(bytes, limit: limit, cutBy: lengths, stoppingAfter: pauses)
      #expect(reading == expected(bytes, limit: limit), "seed \(seed)")
    }
  }

  @Test func aFrameOfTheLimitPassesAndOneByteMoreDoesNot() {
    for chunk in [1, 7, 16, 17, 1000] {
      let chunks = repeatElement(chunk, count: 100)
      let fits = [UInt8](repeating: 1, count: 16)
      #expect(read(fits + [0], limit: 16, cutBy: chunks).frames == [fits])
      #expect(read(fits + [1, 0], limit: 16, cutBy: chunks) == Reading(isTooLarge: true))
      // Before its end has come, too.
      #expect(read(fits + [1], limit: 16, cutBy: chunks) == Reading(isTooLarge: true))
    }
  }

  @Test func framesBeforeTheOneAtFaultAreHandedOut() {
    let bytes = Array("ab\0cd\0toolong\0ef\0".utf8)
    for chunk in 1...bytes.count {
      let reading = read(bytes, limit: 4, cutBy: repeatElement(chunk, count: bytes.count))
      #expect(reading.frames == [Array("ab".utf8), Array("cd".utf8)])
      #expect(reading.isTooLarge)
    }
  }

  @Test func keptBytesAreReadLater() throws {
    let reader = FrameReader()
    var frames: [String] = []
    func read(_ text: String) throws {
      try Array(text.utf8).withUnsafeBytes { bytes in
        var rest = bytes
        while let frame = try reader.next(in: &rest, limit: 9) {
          frames.append(String(decoding: frame, as: UTF8.self))
        }
      }
    }
    try Array("x\0a\0b\0c".utf8).withUnsafeBytes { bytes in
      var rest = bytes
      let first = try reader.next(in: &rest, limit: 9)
      #expect(first?.count == 1)
      reader.keep(rest)
    }
    let hasMore = reader.hasUnsearched
    #expect(hasMore)
    try read("d\0")
    #expect(frames == ["a", "b", "cd"])
    let hasAny = reader.hasUnsearched
    #expect(!hasAny)
  }
}
