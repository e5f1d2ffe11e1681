internal import Glibc
package import Logging

/// The output of a program's log: the journal if standard error is connected to it, else plain lines on standard error.
///
/// A program makes one at its start, which hands out the handlers for swift-log:
///
///     let output = try LogOutput(fieldPrefix: "CONTEXTDIFF_", dropsMessageID: id)
///     LoggingSystem.bootstrap { _ in output.handler() }
///
/// Logging never waits for the journal or a terminal: entries go to a bounded queue, which a thread of its own empties.
/// Entries that find the queue full are dropped and counted, and one entry says how many. Entries that are still in the
/// queue when the process ends are lost: call ``flush(timeout:)`` before.
package final class LogOutput: Sendable {
  /// The least severe level that is logged by loggers without a level of their own.
  ///
  /// May be set at any time, from any thread; existing loggers follow it.
  package var threshold: Logger.Level {
    get { severity.level }
    set { severity.level = newValue }
  }

  private let sink: LogSink
  private let fieldPrefix: String
  private let ownerKey: String?
  private let queue: LogQueue
  private let severity: LogThreshold

  /// Finds out by `$JOURNAL_STREAM` (systemd.exec(5)) whether standard error leads to the journal, and starts the
  /// thread that sends entries.
  ///
  /// - Parameters:
  ///   - fieldPrefix: what the names of the journal's fields begin with, upper case, with its underscore at the end.
  ///   - threshold: the initial ``threshold``.
  ///   - dropsMessageID: the `MESSAGE_ID` of the entry that says how many entries were dropped, 32 hex digits.
  ///   - ownerKey: the metadata key whose value names who caused an entry; one owner's entries may fill a quarter of
  ///     the queue. `nil` for no such bound.
  /// - Throws: ``SystemdError`` where no thread can be started.
  package convenience init(
    fieldPrefix: String, threshold: Logger.Level = .info, dropsMessageID: String,
    ownerKey: String? = nil
  ) throws(SystemdError) {
    // Unsafe: the environment's own text, copied at once.
    unsafe try self.init(
      sink: .standard(journalStream: getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) }),
      fieldPrefix: fieldPrefix, threshold: threshold, dropsMessageID: dropsMessageID,
      ownerKey: ownerKey)
  }

  package init(
    sink: LogSink, fieldPrefix: String, threshold: Logger.Level, dropsMessageID: String,
    ownerKey: String? = nil
  ) throws(SystemdError) {
    self.sink = sink
    self.ownerKey = ownerKey
    self.fieldPrefix = fieldPrefix
    severity = LogThreshold(threshold)
    queue = try LogQueue(limits: LogOutput.limits) { batch in
      sink.send(batch)
    } describeDrops: { count in
      sink.entry(
        of: LogEvent(
          level: .warning, message: "\(count) log entries were dropped",
          metadata: [LogOutput.messageIDKey: "\(dropsMessageID)", "leftOut": "\(count)"],
          source: nil, file: #fileID, function: #function, line: #line),
        common: [:], fieldPrefix: fieldPrefix)
    }
  }

  deinit {
    queue.stop()
  }

  /// Whether entries go to the journal.
  package var leadsToJournal: Bool { if case .journal = sink { true } else { false } }

  /// Makes a handler for a logger.
  package func handler() -> OutputLogHandler { OutputLogHandler(output: self) }

  func write(_ event: LogEvent, common: Logger.Metadata) {
    queue.append(
      sink.entry(of: event, common: common, fieldPrefix: fieldPrefix),
      of: ownerKey.flatMap { event.metadata?[$0]?.text })
  }

  /// Waits until every entry that was logged before the call has been sent, or could not be sent.
  ///
  /// Returns false where `timeout` passed first.
  @discardableResult
  package func flush(timeout: Duration) -> Bool {
    queue.flush(timeout: timeout)
  }

  /// The metadata key whose value is the entry's `MESSAGE_ID`, 32 hex digits, by which journald's catalog explains it.
  package static let messageIDKey = "messageID"

  /// The most that waits: enough for a second's burst while the journal is busy, and little of a daemon's memory.
  private static let limits = LogQueue.Limits(entries: 4096, bytes: 2 << 20)
}
