package import Logging

extension LogEntry {
  /// One line for people, in a single field.
  ///
  /// `common` gives way to the event's own metadata. Metadata is left out where the event has a
  /// message id.
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
