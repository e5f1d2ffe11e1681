import Logging
import Synchronization

/// What is logged.
final class Entries: Sendable {
  private let kept = Mutex<[String]>([])

  var all: [String] { kept.withLock { $0 } }

  func add(_ entry: String) { kept.withLock { $0.append(entry) } }
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
