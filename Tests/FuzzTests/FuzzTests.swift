import ContextDiff
import ContextDiffService
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The fuzzer's targets with their seeds, and with what a fixed sequence of small damages makes of
/// them: `make fuzz` looks further.
@Suite struct FuzzTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fuzz/Seeds")

  private static func seeds(of target: String) throws -> [[UInt8]] {
    let folder = folder.appendingPathComponent(target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      Array(try Data(contentsOf: folder.appendingPathComponent($0)))
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func noSeedAndNoDamagedSeedIsMisread(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = try Self.seeds(of: name)
    try #require(!seeds.isEmpty)
    for seed in seeds { seed.withUnsafeBytes(target.run) }
    var random = SeededGenerator(seed: 1)
    // A target traps where something is wrong, which ends the tests.
    for round in 0..<300 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0...3, using: &random) {
        Self.damage(&bytes, with: seeds, &random)
      }
      bytes.withUnsafeBytes(target.run)
    }
  }

  /// What an earlier version kept is refused at once, and tests nothing: a new version brings seeds of its own.
  @Test func theSeedsOfWhatIsKeptAreTaken() throws {
    for seed in try Self.seeds(of: "session") { #expect(Session(archive: seed) != nil) }
    for seed in try Self.seeds(of: "archive") {
      let descriptor = try #require(seed.withUnsafeBytes(FuzzTarget.memory))
      let (records, failure) = SessionArchive.read(adopting: descriptor)
      #expect(failure == nil && records.count == 2)
      for record in records { #expect(Session(archive: record.bytes) != nil) }
    }
    for seed in try Self.seeds(of: "ring") {
      let descriptor = try #require(seed.withUnsafeBytes(FuzzTarget.memory))
      #expect(try EventRing.adopt(descriptor).count > 0)
    }
  }

  private static func damage(
    _ bytes: inout [UInt8], with seeds: [[UInt8]], _ random: inout SeededGenerator
  ) {
    let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...16, using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default:
      let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      let from = other.isEmpty ? 0 : Int.random(in: 0..<other.count, using: &random)
      bytes.insert(contentsOf: other[from...].prefix(64), at: place)
    }
  }
}
