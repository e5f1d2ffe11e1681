package import Logging

extension LogEntry {
  /// Makes a journal entry: its fields are `NAME=value`.
  ///
  /// Where `common` and the event's own metadata have the same key, the event's value is taken. The names of their
  /// fields begin with `prefix`.
  package init(journal event: LogEvent, common: Logger.Metadata, prefix: String) {
    self.init()
    appendField { bytes in
      bytes.append("MESSAGE=")
      bytes.append(visible: event.message.description, atMost: LogEntry.messageLimit)
    }
    appendField { bytes in
      bytes.append("PRIORITY=")
      bytes.append(UInt8(ascii: "0") + event.level.journalPriority)
    }
    appendField("CODE_FILE", event.file)
    appendField("CODE_LINE", "\(event.line)")
    appendField("CODE_FUNC", event.function)
    if let error = event.error { appendField(key: "error", .string("\(error)"), prefix: prefix) }
    let own = event.metadata ?? [:]
    for (key, value) in own { appendField(key: key, value, prefix: prefix) }
    for (key, value) in common where own[key] == nil {
      appendField(key: key, value, prefix: prefix)
    }
  }

  private mutating func appendField(_ name: StaticString, _ value: String) {
    appendField { bytes in
      // Unsafe: the name's own bytes, copied while they are lent.
      name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
      bytes.append(UInt8(ascii: "="))
      bytes.append(visible: value, atMost: LogEntry.valueLimit)
    }
  }

  private mutating func appendField(key: String, _ value: Logger.MetadataValue, prefix: String) {
    appendField { bytes in
      if key == LogOutput.messageIDKey {
        bytes.append("MESSAGE_ID")
      } else {
        bytes.append(prefix)
        bytes.append(fieldName: key)
      }
      bytes.append(UInt8(ascii: "="))
      bytes.append(visible: value.text, atMost: LogEntry.valueLimit)
    }
  }

  /// The most bytes of a message: people read it as one line.
  static let messageLimit = 2048
  /// The most bytes of a value: values are names and numbers.
  static let valueLimit = 1024
}

extension Logger.Level {
  /// The level as syslog(3) numbers it, which `PRIORITY=` wants.
  fileprivate var journalPriority: UInt8 {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

extension [UInt8] {
  /// Appends the first 40 bytes of a metadata key in the form of a field's name: `clientUID` → `CLIENT_UID`.
  ///
  /// An underscore goes before a capital letter that follows a small letter or a digit, and before one between a
  /// capital and a small letter. Each byte that is no ASCII letter or digit becomes an underscore, since the journal
  /// takes no other bytes in names.
  fileprivate mutating func append(fieldName key: String) {
    let key = Array(key.utf8.prefix(40))
    for (index, byte) in key.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        append(byte - 32)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if key.beginsWord(at: index) { append(UInt8(ascii: "_")) }
        append(byte)
      default:
        append(UInt8(ascii: "_"))
      }
    }
  }

  /// Whether the capital letter at `index` begins a word; false for the first letter of the key.
  fileprivate func beginsWord(at index: Int) -> Bool {
    guard index > 0 else { return false }
    let previous = self[index - 1]
    let isBeforeSmall = index + 1 < count && self[index + 1].isSmallLetter
    return previous.isSmallLetter || previous.isDigit || previous.isCapitalLetter && isBeforeSmall
  }
}

extension UInt8 {
  fileprivate var isSmallLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isCapitalLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
