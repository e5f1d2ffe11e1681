internal import Logging
internal import Synchronization

/// The log level that the handlers of one `LogOutput` share; any thread may read and set it.
final class LogThreshold: Sendable {
  private let index: Atomic<Int>

  init(_ level: Logger.Level) {
    index = Atomic(LogThreshold.index(of: level))
  }

  var level: Logger.Level {
    get { LogThreshold.levels[index.load(ordering: .relaxed)] }
    set { index.store(LogThreshold.index(of: newValue), ordering: .relaxed) }
  }

  private static let levels = Logger.Level.allCases

  private static func index(of level: Logger.Level) -> Int {
    levels.firstIndex(of: level) ?? 0
  }
}
