import ContextDiffService
import ContextDiffWire
import Foundation
import Testing

@Suite final class SettingsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("contextdiff-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func read(
    yaml: String? = nil, environment: [String: String] = [:], options: [String: String] = [:]
  ) throws -> Settings {
    var path: String?
    if let yaml {
      let file = "\(folder)/contextdiffd.yaml"
      try Data(yaml.utf8).write(to: URL(fileURLWithPath: file))
      path = file
    }
    return try SettingsSources(options: options, environment: environment, file: path).read()
      .settings
  }

  @Test func aConfigurationFolderThatIsEmptyIsNone() throws {
    let own = "\(folder)/.config/contextdiff"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data("limits: {sessions: 7}".utf8).write(
      to: URL(fileURLWithPath: "\(own)/contextdiffd.yaml"))
    for environment in [["HOME": folder], ["HOME": folder, "XDG_CONFIG_HOME": ""]] {
      #expect(try read(environment: environment).limits.sessions == 7)
    }
  }

  @Test func aFileThatIsThereAndCannotBeReadIsNotPassedOver() throws {
    let own = "\(folder)/.config/contextdiff"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(own)/contextdiffd.yaml", withDestinationPath: "gone.yaml")
    #expect(
      problem(environment: ["HOME": folder])
        == ".config/contextdiff/contextdiffd.yaml: No such file or directory")
  }

  /// The error's text, the folder left out.
  private func problem(
    yaml: String? = nil, environment: [String: String] = [:], options: [String: String] = [:]
  ) -> String? {
    do {
      _ = try read(yaml: yaml, environment: environment, options: options)
      return nil
    } catch {
      return "\(error)".replacingOccurrences(of: folder + "/", with: "")
    }
  }

  @Test func withoutSourcesTheDefaultsHold() throws {
    let settings = try read()
    #expect(settings.limits.frameBytes == 4_194_304)
    #expect(settings.limits.fieldBytes == 1_048_576)
    #expect(settings.limits.connections == 2_048)
    #expect(settings.limits.subscribers == 1_024)
    #expect(settings.limits.sessions == 4_096)
    #expect(settings.limits.sessionsBytes == 67_108_864)
    #expect(settings.limits.memoryBytes == 65_536)
    #expect(settings.limits.keptEvents == 4_096)
    #expect(settings.limits.backlog == 1_024)
    #expect(settings.sessionIdleSeconds == 3_600)
    #expect(settings.idleExitSeconds == 0)
    #expect(settings.terminators == "。．.!?！？…")
    #expect(settings.accessGroup == "")
  }

  @Test func aFileSetsWhatItNames() throws {
    let settings = try read(
      yaml: """
        # how much
        limits:
          connections: 10
          backlog: 20
        terminators: "。"
        logTransitions: No
        """)
    #expect(settings.limits.connections == 10)
    #expect(settings.limits.backlog == 20)
    #expect(settings.limits.sessions == 4_096)
    #expect(settings.terminators == "。")
    #expect(!settings.logTransitions)
  }

  @Test func optionsGoOverTheEnvironmentAndThatOverTheFile() throws {
    let yaml = "limits: {connections: 1, sessions: 1, backlog: 1}"
    let environment = [
      "CONTEXTDIFF_LIMITS_CONNECTIONS": "2", "CONTEXTDIFF_LIMITS_SESSIONS": "2",
    ]
    let settings = try read(
      yaml: yaml, environment: environment, options: ["limits.connections": "3"])
    #expect(settings.limits.connections == 3)
    #expect(settings.limits.sessions == 2)
    #expect(settings.limits.backlog == 1)
  }

  @Test func everySettingCanBeSetFromEverySource() throws {
    for setting in Setting.all {
      let value =
        switch setting.value {
        // Two are bounded by another one's default.
        case .integer(_, let range):
          switch setting.key {
          case "limits.fieldBytes": "4194304"
          case "limits.memoryBytes": "67108864"
          default: String(range.upperBound)
          }
        case .boolean: "false"
        case .text: setting.key == "logLevel" ? "debug" : "x"
        }
      let parts = setting.key.split(separator: ".")
      let yaml =
        parts.count == 2 ? "\(parts[0]):\n  \(parts[1]): \(value)" : "\(parts[0]): \(value)"
      #expect(setting.text(in: try read(yaml: yaml)) == value)
      #expect(setting.text(in: try read(environment: [setting.environmentName: value])) == value)
      #expect(setting.text(in: try read(options: [setting.key: value])) == value)
    }
  }

  @Test func textThatIsNoNumberNeedsNoQuotes() throws {
    for text in [".", "...", "inf", "e5", "1.2.3", "true!", "。？"] {
      #expect(try read(yaml: "terminators: \(text)").terminators == text)
    }
    #expect(try read(yaml: "terminators: \"3\"").terminators == "3")
  }

  /// Who sets the length of a frame alone means that of its fields, too.
  @Test func aFieldIsNoLongerThanAFrame() throws {
    #expect(try read(yaml: "limits: {frameBytes: 65536}").limits.fieldBytes == 65_536)
    #expect(
      problem(options: ["limits.fieldBytes": "4194305"])
        == "command line: limits.fieldBytes is to be at most limits.frameBytes, 4194304")
  }

  @Test func theLeastMemoryIsThatOfOneClient() throws {
    #expect(try read(options: ["limits.totalBytes": "0"]).limits.totalBytes == 0)
    #expect(try read(options: ["limits.totalBytes": "1048576"]).limits.totalBytes == 1_048_576)
    #expect(
      problem(environment: ["CONTEXTDIFF_LIMITS_TOTAL_BYTES": "1048575"])
        == "CONTEXTDIFF_LIMITS_TOTAL_BYTES: limits.totalBytes is to be at least 1048576, or 0")
  }

  /// A client sends as much without asking.
  @Test func noFrameLimitIsBelowWhatEveryDaemonTakes() throws {
    let least = String(Interface.leastCallLimit)
    #expect(try read(options: ["limits.frameBytes": least]).limits.frameBytes == 4_096)
    #expect(problem(options: ["limits.frameBytes": "4095"]) != nil)
  }

  /// libcontextdiff refuses a longer text itself, and the JSON reader a longer frame.
  @Test func noLimitIsAboveWhatIsSentAndRead() throws {
    let most = String(Interface.mostCallLimit)
    let limits = try read(options: ["limits.frameBytes": most, "limits.fieldBytes": most]).limits
    #expect(limits.frameBytes == Interface.mostCallLimit)
    #expect(limits.fieldBytes == Interface.mostCallLimit)
    #expect(problem(options: ["limits.frameBytes": "268435456"]) != nil)
    #expect(
      problem(options: ["limits.frameBytes": most, "limits.fieldBytes": "268435456"]) != nil)
  }

  @Test func variablesThatSetNothingAreTold() {
    func warning(_ names: String...) -> String? {
      let environment = names.map { ($0, "secret") }
      return SettingsSources(environment: Dictionary(uniqueKeysWithValues: environment)).warning
    }

    #expect(warning() == nil)
    #expect(warning("PATH", "contextdiff_x", "CONTEXTDIFF") == nil)
    #expect(warning("CONTEXTDIFF_LOG_LEVEL", "CONTEXTDIFF_SOCKET", "CONTEXTDIFF_LIBRARY") == nil)
    for setting in Setting.all { #expect(warning(setting.environmentName) == nil) }
    #expect(
      warning("CONTEXTDIFF_LOGLEVEL", "CONTEXTDIFF_LIMIT_USERS", "CONTEXTDIFF_a\nb")
        == "nothing is set by CONTEXTDIFF_LIMIT_USERS, CONTEXTDIFF_LOGLEVEL: "
        + "no setting has such a name (contextdiffd --help lists them)")
  }

  @Test func anEmptyFileSetsNothing() throws {
    #expect(try read(yaml: "").limits.connections == 2_048)
    #expect(try read(yaml: "# nothing\n").limits.connections == 2_048)
    #expect(try read(yaml: "limits:\n  # sessions: 5\n").limits.connections == 2_048)
  }

  @Test(arguments: [
    ("limits:\n  bogus: 1", "contextdiffd.yaml:2: there is no setting limits.bogus"),
    (
      "limits:\n  memorybytes: 1",
      "contextdiffd.yaml:2: there is no setting limits.memorybytes; there is limits.memoryBytes"
    ),
    ("bogus: 1", "contextdiffd.yaml:1: there is no setting bogus"),
    ("bogus:\n  a: 1", "contextdiffd.yaml:2: there is no setting bogus"),
    (
      "\nlimits:\n  connections: many",
      "contextdiffd.yaml:3: limits.connections is to be a number from 1 to 1048576"
    ),
    ("limits:\n  connections: [1]", "contextdiffd.yaml:2: limits.connections is to be one value"),
    ("limits: 3", "contextdiffd.yaml:1: limits is to be a mapping"),
    (
      "logLevel: 3",
      "contextdiffd.yaml:1: logLevel is to be one of trace, debug, info, notice, warning, error, critical"
    ),
    (
      "limits:\n  connections: 'many'",
      "contextdiffd.yaml:2: limits.connections is to be a number from 1 to 1048576"
    ),
    ("terminators:", "contextdiffd.yaml:1: terminators is to be text, in quotation marks"),
    (
      "accessGroup: # none",
      "contextdiffd.yaml:1: accessGroup is to be a group's name, in quotation marks"
    ),
    ("terminators: null", "contextdiffd.yaml:1: terminators is to be text, in quotation marks"),
    ("terminators: 3", "contextdiffd.yaml:1: terminators is to be text, in quotation marks"),
    ("terminators: -.5e1", "contextdiffd.yaml:1: terminators is to be text, in quotation marks"),
    ("terminators: True", "contextdiffd.yaml:1: terminators is to be text, in quotation marks"),
    (
      "accessGroup: 1000",
      "contextdiffd.yaml:1: accessGroup is to be a group's name, in quotation marks"
    ),
    (
      "accessGroup: 0o17",
      "contextdiffd.yaml:1: accessGroup is to be a group's name, in quotation marks"
    ),
    ("? [a]\n: 1", "contextdiffd.yaml:1: a key is to be a name"),
    (
      "limits.sessions: 7",
      "contextdiffd.yaml:1: each part of limits.sessions is to be a key of its own"
    ),
    (
      "limits:\n  frameBytes: 5000\n  fieldBytes: 5001",
      "contextdiffd.yaml:3: limits.fieldBytes is to be at most limits.frameBytes, 5000"
    ),
    (
      "limits:\n  memoryBytes: 65537\n  sessionsBytes: 65536",
      "contextdiffd.yaml:2: limits.memoryBytes is to be at most limits.sessionsBytes, 65536"
    ),
    (
      "limits:\n  totalBytes: 1",
      "contextdiffd.yaml:2: limits.totalBytes is to be at least 1048576, or 0"
    ),
    (
      "logTransitions: \"true\"",
      "contextdiffd.yaml:1: logTransitions is to be true or false, without quotation marks"
    ),
    (
      "limits:\n  connections: '5'",
      "contextdiffd.yaml:2: limits.connections is to be a number from 1 to 1048576, without quotation marks"
    ),
    (
      "subscribers: 5",
      "contextdiffd.yaml:1: there is no setting subscribers; there is limits.subscribers"
    ),
    ("limits: [3]", "contextdiffd.yaml:1: limits is to be a mapping"),
    (
      "logTransitions: no\n---\nlogConnections: no",
      "contextdiffd.yaml:3: a second document begins; there can be one"
    ),
    (
      "logTransitions: no\n---\na: [1\nb: 2",
      "contextdiffd.yaml:4: did not find expected ',' or ']'"
    ),
    (
      "limits:\n  backlog: 1\n  backlog: 2", "contextdiffd.yaml:3: limits.backlog stands twice"
    ),
    ("limits:\n  backlog: 1\nlimits:\n  users: 2", "contextdiffd.yaml:3: limits stands twice"),
    ("logTransitions: maybe", "contextdiffd.yaml:1: logTransitions is to be true or false"),
    (
      "logLevel: loud",
      "contextdiffd.yaml:1: logLevel is to be one of trace, debug, info, notice, warning, error, critical"
    ),
    ("a: [1\nb: 2", "contextdiffd.yaml:2: did not find expected ',' or ']'"),
    ("- 1", "contextdiffd.yaml:1: the file is to be a mapping"),
    ("just text", "contextdiffd.yaml:1: the file is to be a mapping"),
  ])
  func whatIsWrongInAFileIsToldWithItsLine(yaml: String, problem: String) {
    #expect(self.problem(yaml: yaml) == problem)
  }

  @Test func whatIsWrongElsewhereIsToldWithItsName() {
    #expect(
      problem(environment: ["CONTEXTDIFF_LIMITS_BACKLOG": "0"])
        == "CONTEXTDIFF_LIMITS_BACKLOG: limits.backlog is to be a number from 1 to 1048576")
    #expect(
      problem(options: ["logConnections": "2"])
        == "command line: logConnections is to be true or false")
  }

  @Test func whatCanBeNoSettingsFileIsToldAsSuch() throws {
    let large = "\(folder)/large.yaml"
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20 | 1).write(
      to: URL(fileURLWithPath: large))
    for (path, problem) in [(folder, "Is a directory"), (large, "it is larger than 1 MiB")] {
      let error = #expect(throws: SettingsError.self) {
        try SettingsSources(environment: [:], file: path).read()
      }
      #expect(error.map { "\($0)" } == "\(path): \(problem)")
    }
  }

  @Test func aFileThatIsNotThereIsAnError() {
    #expect(throws: SettingsError.self) {
      try SettingsSources(environment: [:], file: "\(folder)/none").read()
    }
  }
}
