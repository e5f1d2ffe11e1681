internal import Glibc
public import Logging

/// Where a program's log goes: the journal where standard error leads there, plain lines on
/// standard error otherwise.
///
/// One for a program, made at its start, which hands out the handlers of swift-log:
///
///     let output = try LogOutput(fieldPrefix: "CONTEXTDIFF_", dropsMessageID: id)
///     LoggingSystem.bootstrap { label in output.handler(label: label) }
///
/// Logging never waits for the journal or a terminal: entries go to a bounded queue that a thread
/// of its own empties. What finds it full is counted, and one entry says how many were lost. Not
/// for what a process says just before it is killed: only ``flush(timeout:)`` tells that all is
/// out.
public final class LogOutput: Sendable {
  /// The least severe level that handlers let through where their logger has no level of its own.
  ///
  /// May be set at any time, from any thread; it holds for loggers that exist already.
  public var threshold: Logger.Level {
    get { severity.level }
    set { severity.level = newValue }
  }

  private let sink: LogSink
  private let fieldPrefix: String
  private let ownerKey: String?
  private let queue: LogQueue
  private let severity: LogThreshold

  /// Looks where standard error leads, and starts the thread that writes there.
  ///
  /// - Parameters:
  ///   - fieldPrefix: what the names of the journal's fields begin with, upper case, with its underscore at the end.
  ///   - threshold: the first ``threshold``.
  ///   - dropsMessageID: the `MESSAGE_ID` of the entry that says how many were lost, 32 hex digits.
  ///   - ownerKey: the metadata key whose value says who caused an entry: of what may wait, each gets a quarter at most.
  /// - Throws: ``SystemdError`` where no thread can be had.
  public convenience init(
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
          metadata: [LogOutput.messageIDKey: "\(dropsMessageID)", "count": "\(count)"],
          source: nil, file: #fileID, function: #function, line: #line),
        common: [:], label: "log", fieldPrefix: fieldPrefix)
    }
  }

  deinit {
    queue.stop()
  }

  /// Whether what is logged goes to the journal.
  public var leadsToJournal: Bool { if case .journal = sink { true } else { false } }

  /// A handler for a logger of this name, which the journal shows in the field `LOGGER` after the
  /// prefix.
  public func handler(label: String) -> OutputLogHandler {
    OutputLogHandler(output: self, label: label)
  }

  func write(_ event: LogEvent, common: Logger.Metadata, label: String) {
    queue.append(
      sink.entry(of: event, common: common, label: label, fieldPrefix: fieldPrefix),
      of: ownerKey.flatMap { event.metadata?[$0]?.text })
  }

  /// Waits until all that was logged before the call is written.
  ///
  /// Returns false where `timeout` came first.
  @discardableResult
  public func flush(timeout: Duration) -> Bool {
    queue.flush(timeout: timeout)
  }

  /// The metadata key whose value is the entry's `MESSAGE_ID`, 32 hex digits, by which the catalog
  /// explains it.
  public static let messageIDKey = "messageID"

  /// What a second's burst needs while the journal is busy, and no more than a small share of a
  /// daemon's memory.
  private static let limits = LogQueue.Limits(entries: 4096, bytes: 2 << 20)
}
