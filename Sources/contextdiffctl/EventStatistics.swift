import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Synchronization

/// Writes one line a second for `monitor --stat`: how many pairs came in that second, of which kinds, and how late.
struct EventStatistics {
  let output: Output
  /// How many lines are written; `nil` for no limit.
  let lineLimit: Int?
  /// Ended before the last line is written.
  let watch: ReaderWatch

  /// What came in the present second.
  private struct Second: Sendable {
    /// How many pairs were of each kind, by the kinds' names.
    var kinds: [String: Int] = [:]
    /// How many events were lost; a loss of an unknown number counts as 0.
    var lost = 0
    /// For each event, the time from its post to its arrival here, in microseconds; 0 where the clock was set back.
    var latencies: [Int] = []
  }

  /// The present second, which one task counts and another writes and resets.
  private final class Count: Sendable {
    let second = Mutex(Second())
  }

  /// Counts `events` and writes until they end or `lineLimit` lines are written.
  func run(_ events: EventSequence) async throws {
    let count = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await element in events {
          let now = Timestamp.now
          count.second.withLock { second in
            switch element {
            case .ready: break
            case .lost(let lost):
              let (sum, overflows) = second.lost.addingReportingOverflow(lost ?? 0)
              second.lost = overflows ? .max : sum
            case .event(let event):
              second.kinds[event.transition.kind.rawValue, default: 0] += 1
              second.latencies.append(max(0, now - max(0, event.time)))
            }
          }
        }
      }
      group.addTask { try await write(count) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func write(_ count: Count) async throws {
    var output = output
    var left = lineLimit ?? .max
    while left > 0 {
      if left == 1 { watch.end() }
      try await Task.sleep(for: .seconds(1))
      let second = count.second.withLock { second in
        defer { second = Second() }
        return second
      }
      let line = Self.line(second, at: Timestamp.now)
      output.print(fitted: line)
      try output.flush()
      left -= 1
    }
  }

  private static func line(_ second: Second, at time: Int) -> String {
    let stamp = Timestamp(microseconds: time)
    let pairs = second.latencies.count
    var parts = [stamp.timeOfDay, "\(pairs) \(pairs == 1 ? "pair" : "pairs")"]
    if pairs > 0 {
      let sorted = second.latencies.sorted()
      parts.append(
        "heard after \(milliseconds(sorted[pairs / 2])) ms, \(milliseconds(sorted[pairs - 1])) at most"
      )
    }
    if second.lost > 0 { parts.append("lost \(second.lost)") }
    parts += second.kinds.largestFirst.map { "\($0.key) \($0.value)" }
    return parts.joined(separator: "  ")
  }

  /// Rounded to hundredths of a millisecond.
  private static func milliseconds(_ microseconds: Int) -> Double {
    (Double(microseconds) / 10).rounded() / 100
  }
}
