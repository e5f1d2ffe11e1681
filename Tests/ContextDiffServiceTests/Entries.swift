import Logging
import Synchronization
import Testing

/// What is logged.
final class Entries: Sendable {
  private let kept = Mutex<[String]>([])

  var all: [String] { kept.withLock { $0 } }

  func add(_ entry: String) { kept.withLock { $0.append(entry) } }

  /// Returns once one entry has all of `parts`; throws where none has after two minutes, so that the run ends and says so.
  func wait(for parts: String...) async throws {
    let began = ContinuousClock.now
    while !all.contains(where: { entry in parts.allSatisfy { entry.contains($0) } }) {
      try #require(
        began.duration(to: .now) < .seconds(120), "of \(parts), but: \(all.suffix(20))")
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Keeps what is logged at any level.
struct Keeper: LogHandler {
  let entries: Entries
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    entries.add("\(event.level): \(event.message) \(event.metadata ?? [:])")
  }
}
