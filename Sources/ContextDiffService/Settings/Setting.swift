internal import ContextDiffWire

/// A setting: its name, which values it may have, and which member of `Settings` holds its value.
package struct Setting: Sendable {
  /// The type of a setting's value, and the member of `Settings` that holds it.
  package enum Value: Sendable {
    /// A number within the range.
    case integer(any WritableKeyPath<Settings, Int> & Sendable, ClosedRange<Int>)
    /// True or false.
    case boolean(any WritableKeyPath<Settings, Bool> & Sendable)
    /// A text for which the predicate holds; `wanted` says in an error what the text must be.
    case text(
      any WritableKeyPath<Settings, String> & Sendable, @Sendable (String) -> Bool, wanted: String)
  }

  /// The name, whose parts a settings file has as nested mappings: `limits.frameBytes`.
  package let key: String
  /// Which values it may have.
  package let value: Value
  /// What it sets, and the unit, in one line for people.
  package let help: String

  /// All settings, as `--help` and contextdiffd.yaml(5) list them.
  package static let all: [Setting] = [
    Setting(
      "limits.frameBytes",
      .integer(\.limits.frameBytes, Interface.leastCallLimit...Interface.mostCallLimit),
      "the longest frame that is read, in bytes"),
    Setting(
      "limits.fieldBytes", .integer(\.limits.fieldBytes, 1...Interface.mostCallLimit),
      "the longest field of a snapshot, in bytes of UTF-8"),
    Setting(
      "limits.totalBytes", .integer(\.limits.totalBytes, 0...1 << 40),
      "what all users may make the daemon hold, in bytes; 0: three quarters of MemoryMax=, else 512 MiB; less by LimitAS= or LimitDATA="
    ),
    Setting(
      "limits.users", .integer(\.limits.users, 1...1 << 16),
      "the most users who are connected or of whom anything is kept"),
    Setting(
      "limits.connections", .integer(\.limits.connections, 1...1 << 20),
      "the most connections"),
    Setting(
      "limits.subscribers", .integer(\.limits.subscribers, 0...1 << 20),
      "the most subscribers of a user"),
    Setting(
      "limits.sessions", .integer(\.limits.sessions, 0...1 << 20),
      "the most sessions of a user"),
    Setting(
      "limits.sessionsBytes", .integer(\.limits.sessionsBytes, 1 << 16...1 << 40),
      "the most text that a user's sessions hold together, in bytes; the oldest give way"),
    Setting(
      "limits.memoryBytes", .integer(\.limits.memoryBytes, 0...1 << 28),
      "the most text that a new session remembers, in bytes"),
    Setting(
      "limits.keptEvents", .integer(\.limits.keptEvents, 1...1 << 20),
      "the most events of a user that are kept for subscribers that come back"),
    Setting(
      "limits.keptEventsBytes", .integer(\.limits.keptEventsBytes, 4_096...1 << 30),
      "the most memory that they take, in bytes; for users who connect first after a change"),
    Setting(
      "limits.keptEventsSeconds", .integer(\.limits.keptEventsSeconds, 0...1 << 31),
      "how long an event is kept, in seconds; 0 for as long as there is room"),
    Setting(
      "limits.backlog", .integer(\.limits.backlog, 1...1 << 20),
      "the most events that wait for a subscriber that reads slowly"),
    Setting(
      "sessionIdleSeconds", .integer(\.sessionIdleSeconds, 0...1 << 31),
      "how long a session without a post is kept; 0 for ever"),
    Setting(
      "idleExitSeconds", .integer(\.idleExitSeconds, 0...1 << 31),
      "how long the daemon stays without a connection; 0 for ever"),
    Setting(
      "terminators", .text(\.terminators, { _ in true }, wanted: "text"),
      "the characters that end a sentence"),
    Setting(
      "accessGroup", .text(\.accessGroup, { _ in true }, wanted: "a group's name"),
      "the group whose members may connect too; empty for none"),
    Setting(
      "logLevel", .text(\.logLevel, { logLevels.contains($0) }, wanted: "one of \(levelList)"),
      "the least level that is logged: \(levelList)"),
    Setting(
      "logTransitions", .boolean(\.logTransitions), "whether each transition is logged"),
    Setting(
      "logConnections", .boolean(\.logConnections),
      "whether each connection that comes or goes is logged"),
  ]

  private init(_ key: String, _ value: Value, _ help: String) {
    self.key = key
    self.value = value
    self.help = help
  }

  package static let logLevels = [
    "trace", "debug", "info", "notice", "warning", "error", "critical",
  ]
  private static let levelList = logLevels.joined(separator: ", ")

  /// The setting's value in `settings`, as in a settings file, but without quotation marks.
  package func text(in settings: Settings) -> String {
    switch value {
    case .integer(let path, _): String(settings[keyPath: path])
    case .boolean(let path): String(settings[keyPath: path])
    case .text(let path, _, _): settings[keyPath: path]
    }
  }

  /// Sets the value in `settings`.
  ///
  /// - Parameters:
  ///   - text: The value as it was written.
  ///   - settings: The settings to change.
  ///   - place: Where the value was written, for the error.
  /// - Throws: Where the value is not of the setting's type or range.
  package func set(
    _ text: String, in settings: inout Settings, from place: String
  ) throws(SettingsError) {
    switch value {
    case .integer(let path, let range):
      guard let number = Int(text), range.contains(number) else { throw mistake(at: place) }
      settings[keyPath: path] = number
    case .boolean(let path):
      switch text.lowercased() {
      case "true", "yes", "on", "1": settings[keyPath: path] = true
      case "false", "no", "off", "0": settings[keyPath: path] = false
      default: throw mistake(at: place)
      }
    case .text(let path, let isValid, _):
      guard isValid(text) else { throw mistake(at: place) }
      settings[keyPath: path] = text
    }
  }

  /// Whether the value is a text, which a settings file may put in quotation marks.
  var isText: Bool { if case .text = value { true } else { false } }

  /// The error that the value at `place` is not one that this setting may have; `form` says how it is to be written.
  func mistake(at place: String, form: String = "") -> SettingsError {
    let wanted =
      switch value {
      case .integer(_, let range): "a number from \(range.lowerBound) to \(range.upperBound)"
      case .boolean: "true or false"
      case .text(_, _, let wanted): wanted
      }
    return SettingsError(place, "\(key) is to be \(wanted)\(form)")
  }
}

/// What is wrong with a setting or a settings file, and where.
package struct SettingsError: Error, CustomStringConvertible {
  /// Where the fault is: a file and its line, an environment variable, or `commandLine`.
  package let place: String
  private let problem: String

  /// Where the fault is and what is wrong, in one line.
  package var description: String { "\(place): \(problem)" }

  /// The place of settings that options give.
  package static let commandLine = "command line"

  init(_ place: String, _ problem: String) {
    (self.place, self.problem) = (place, problem)
  }
}

extension Settings {
  /// A settings file that sets every setting to its value here; a comment names the value that is in `effect` where that
  /// is another one.
  package func yaml(inEffect effect: Settings) -> String {
    var lines: [String] = []
    var group = ""
    for setting in Setting.all {
      let parts = setting.key.split(separator: ".").map(String.init)
      let isNested = parts.count == 2
      if isNested, parts[0] != group { lines.append("\(parts[0]):") }
      group = isNested ? parts[0] : ""
      let text = setting.text(in: self)
      let value = setting.isText ? Settings.quoted(text) : text
      let other = setting.text(in: effect)
      lines.append(
        "\(isNested ? "  " : "")\(parts[parts.count - 1]): \(value)"
          + (other == text ? "" : "  # in effect: \(other)"))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The values of the settings under `limits`, by the second part of their keys.
  var limitsByName: [String: Int] {
    var limits: [String: Int] = [:]
    for setting in Setting.all {
      let parts = setting.key.split(separator: ".")
      guard parts.count == 2, parts[0] == "limits", case .integer(let path, _) = setting.value
      else { continue }
      limits[String(parts[1])] = self[keyPath: path]
    }
    return limits
  }

  /// A text as a double-quoted scalar of YAML.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      // YAML breaks lines at some, and a file of it may not hold others as they are.
      case _ where scalar.properties.generalCategory == .control,
        "\u{2028}", "\u{2029}", "\u{FEFF}",
        _ where scalar.properties.isNoncharacterCodePoint:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
