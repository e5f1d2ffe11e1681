public import Logging

/// The handler of swift-log that a ``LogOutput`` hands out.
///
/// To the journal an entry goes structured: `MESSAGE`, `PRIORITY`, `CODE_FILE`, `CODE_LINE`,
/// `CODE_FUNC`, and each metadata value in a field named by the output's prefix and the key in
/// upper case with underscores: `basicKind` → `CONTEXTDIFF_BASIC_KIND`. The key
/// ``LogOutput/messageIDKey`` becomes `MESSAGE_ID`. A value ends after 1,024 bytes.
///
/// As a line it is `warning: message`, and, where the entry has no message id and so may not be
/// written for people, its metadata as ` key=value`, sorted.
///
/// Controls in a message are made visible, so that no entry can look like two.
public struct OutputLogHandler: LogHandler {
  /// What each entry has besides its own; an entry's own value of the same key stands.
  public var metadata: Logger.Metadata = [:]
  /// Gives each entry more; weaker than the entry's own metadata, stronger than ``metadata``.
  public var metadataProvider: Logger.MetadataProvider?

  private let output: LogOutput
  private let label: String
  private var ownLevel: Logger.Level?

  init(output: LogOutput, label: String) {
    self.output = output
    self.label = label
  }

  /// The output's threshold, until it is set for this logger alone.
  public var logLevel: Logger.Level {
    get { ownLevel ?? output.threshold }
    set { ownLevel = newValue }
  }

  /// One value of ``metadata``.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Queues the entry; see ``LogOutput``.
  public func log(event: LogEvent) {
    var common = metadata
    if let provided = metadataProvider?.get() {
      common.merge(provided) { _, provided in provided }
    }
    output.write(event, common: common, label: label)
  }
}
