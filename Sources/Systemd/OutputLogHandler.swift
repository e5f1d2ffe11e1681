package import Logging

/// A log handler for swift-log that writes to a ``LogOutput``.
///
/// In the journal an entry has the fields `MESSAGE`, `PRIORITY`, `CODE_FILE`, `CODE_LINE` and `CODE_FUNC`, and one for
/// each metadata value. That one's name is the output's prefix and the key in upper case with underscores: `basicKind`
/// → `CONTEXTDIFF_BASIC_KIND`. The key ``LogOutput/messageIDKey`` becomes `MESSAGE_ID`. A message is cut after 2,048
/// bytes, a value after 1,024.
///
/// On standard error an entry is the line `warning: message`; where the entry has no message id, its metadata follow
/// as ` key=value`, sorted by key, for its message may not say it all.
///
/// Control characters are replaced by U+FFFD, so that no entry can look like two.
package struct OutputLogHandler: LogHandler {
  /// The metadata of every entry; an entry's own value of the same key takes precedence.
  package var metadata: Logger.Metadata = [:]
  /// Provides further metadata of every entry, which take precedence over ``metadata``, but not over the entry's own.
  package var metadataProvider: Logger.MetadataProvider?

  private let output: LogOutput
  private var ownLevel: Logger.Level?

  init(output: LogOutput) {
    self.output = output
  }

  /// The least severe level that is logged: the output's ``LogOutput/threshold`` until this is set.
  package var logLevel: Logger.Level {
    get { ownLevel ?? output.threshold }
    set { ownLevel = newValue }
  }

  /// One value of ``metadata``.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Queues the entry; see ``LogOutput``.
  package func log(event: LogEvent) {
    var common = metadata
    if let provided = metadataProvider?.get() {
      common.merge(provided) { _, provided in provided }
    }
    output.write(event, common: common)
  }
}
