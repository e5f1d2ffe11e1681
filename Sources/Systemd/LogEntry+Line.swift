package import Logging

extension LogEntry {
  /// Makes an entry of a single field: a line for people.
  ///
  /// Where `common` and the event's own metadata have the same key, the event's value is taken. An event with a
  /// message id is written without metadata, since its message says it all.
  package init(line event: LogEvent, common: Logger.Metadata) {
    self.init()
    let own = event.metadata ?? [:]
    let isCataloged = (own[LogOutput.messageIDKey] ?? common[LogOutput.messageIDKey]) != nil
    appendField { bytes in
      bytes.append(event.level.rawValue)
      bytes.append(": ")
      bytes.append(visible: event.message.description, atMost: LogEntry.messageLimit)
      if let error = event.error {
        bytes.append(": ")
        bytes.append(visible: "\(error)", atMost: LogEntry.valueLimit)
      }
      if !isCataloged {
        let metadata = common.merging(own) { _, own in own }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
          bytes.append(visible: " \(key)=\(value.text)", atMost: LogEntry.valueLimit)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}
