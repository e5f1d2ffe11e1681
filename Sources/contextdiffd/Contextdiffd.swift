internal import ArgumentParser
internal import ContextDiffService
internal import ContextDiffWire
internal import Glibc
internal import Varlink

/// The command line of the daemon.
@main
struct Contextdiffd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contextdiffd",
    abstract: "Say what happened between two snapshots of the text around a caret.",
    usage: "contextdiffd [<options>]",
    discussion: """
      Serves io.contextdiff over Varlink. Sockets come from the service manager (LISTEN_FDS) or \
      from --listen; without either, it is $XDG_RUNTIME_DIR/contextdiff/io.contextdiff.

      SIGHUP reads the settings anew; SIGTERM ends it once clients have what they are due, a second \
      SIGTERM at once.

      SETTINGS, with the variable that sets each and its default:
      \(settingsList)
      """,
    version: contextdiffVersion)

  @Option(
    help: ArgumentHelp("A socket to listen on; can stand several times.", valueName: "path"),
    completion: .file())
  var listen: [String] = []

  @Option(
    help: ArgumentHelp("The settings file (contextdiffd.yaml(5)).", valueName: "file"),
    completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp("The least level that is logged: the setting logLevel.", valueName: "level"),
    completion: .list(Setting.logLevels))
  var logLevel: String?

  @Option(
    help: ArgumentHelp(
      "A setting, over the environment's and the file's; can stand several times.",
      valueName: "setting=value"),
    completion: .list(Setting.all.map { "\($0.key)=" }))
  var set: [String] = []

  @Flag(
    help: """
      Look whether the settings can be used, and end: with 78 and the fault where not, with 64 where \
      it is on the command line.
      """)
  var check = false

  @Flag(help: "Show all settings, as a settings file, and end.")
  var printSettings = false

  func validate() throws {
    if let number = CommandLine.numberOfArgumentNotUTF8 {
      throw ValidationError("argument \(number) is not UTF-8.")
    }
    if check, printSettings {
      throw ValidationError("--check and --print-settings exclude each other.")
    }
    if listen.contains("") { throw ValidationError("--listen takes a path.") }
    // By bytes: a file system tells names apart that Swift takes for the same text.
    if Set(listen.map { Array(ListeningSocket.place(of: $0).utf8) }).count < listen.count {
      throw ValidationError("--listen takes each socket once, by whatever path.")
    }
    guard config != "" else { throw ValidationError("--config takes a file's path.") }
    for assignment in set {
      guard let (key, _) = Contextdiffd.split(assignment) else {
        throw ValidationError(
          "--set takes a setting and its value, such as limits.sessions=64: --set \(assignment)")
      }
      if Setting.named(key) == nil {
        throw ValidationError("--set \(assignment): \(Setting.mistake(naming: key))")
      }
    }
    var probe = Settings()
    for (key, value) in options {
      do {
        try Setting.named(key)?.set(value, in: &probe, from: SettingsError.commandLine)
      } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  /// The settings that options give, by key; a later `--set` replaces an earlier one, and `--log-level` replaces both.
  private var options: [String: String] {
    var options: [String: String] = [:]
    for (key, value) in set.compactMap(Contextdiffd.split) { options[key] = value }
    if let logLevel { options["logLevel"] = logLevel }
    return options
  }

  func run() throws {
    let sources = SettingsSources(options: options, file: config)
    guard check || printSettings else { return try Contextdiffd.serve(sources, listening: listen) }
    if let warning = sources.warning { Contextdiffd.tell(warning) }
    do {
      let reading = try SettingsReading(sources)
      if printSettings {
        let file = sources.readFile.map { "settings file: \($0.debugDescription)" }
        try Contextdiffd.write(
          "# \(file ?? "no settings file")\n\(reading.written.yaml(inEffect: reading.settings))")
      }
    } catch {
      throw Contextdiffd.exitCode(reporting: error)
    }
  }

  /// Runs the daemon without reading options where there are none, as a service manager starts it: the client whose
  /// call started the daemon does not wait for ArgumentParser.
  static func main() {
    StandardStreams.open()
    do {
      // Swift reads it there.
      guard CommandLine.argc > 0 else {
        throw DaemonError(description: "the command line cannot be read: /proc is not mounted")
      }
      guard CommandLine.argc > 1 else { return try serve(SettingsSources(), listening: []) }
      var command = try parseAsRoot()
      try command.run()
    } catch let error where exitCode(for: error) == .success {
      // ArgumentParser would write the help, or the version, without noticing a failure.
      do { try write("\(fullMessage(for: error))\n") } catch {
        exit(withError: exitCode(reporting: error))
      }
    } catch {
      if [.validationFailure, unusableSettings].contains(exitCode(for: error)) {
        Daemon.turnAwayWaiting()
      }
      exit(withError: error)
    }
  }

  /// Writes `text` to standard output.
  private static func write(_ text: String) throws {
    print(text, terminator: "")
    guard fflush(nil) == 0 else {
      throw DaemonError(description: "cannot write to standard output: \(String(errno: errno))")
    }
  }

  private static func serve(_ sources: SettingsSources, listening paths: [String]) throws {
    do {
      try Daemon.run(sources: sources, listening: paths)
    } catch {
      if !Daemon.journal(error) { tell("\(error)") }
      throw exitStatus(of: error)
    }
  }

  /// The exit status for settings that cannot be used: EX_CONFIG of sysexits.h(3head), on which the units do not
  /// restart.
  private static let unusableSettings = ExitCode(78)

  /// Writes the error to standard error, and returns the status to exit with.
  private static func exitCode(reporting error: any Error) -> ExitCode {
    tell("\(error)")
    return exitStatus(of: error)
  }

  private static func exitStatus(of error: any Error) -> ExitCode {
    guard let error = error as? SettingsError else { return .failure }
    return error.place == SettingsError.commandLine ? .validationFailure : unusableSettings
  }

  /// Writes a line to standard error.
  private static func tell(_ problem: String) {
    let line = "contextdiffd: \(problem)\n"
    // Unsafe: the line's own bytes, as many as it has.
    unsafe Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }

  /// Splits `setting=value` into its two parts; `nil` where it has no `=`.
  private static func split(_ assignment: String) -> (key: String, value: String)? {
    // By bytes: a mark that begins the value would be one character with the sign.
    guard let equals = assignment.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (
      String(assignment[..<equals]), String(assignment[assignment.utf8.index(after: equals)...])
    )
  }

  /// The settings for `--help`, each with its default, what it does, and its environment variable.
  private static var settingsList: String {
    Setting.all.map { setting in
      let value = setting.text(in: Settings())
      return """
          \(setting.key) = \(value.isEmpty ? "(empty)" : value)
        \(indented(setting.help))
              \(setting.environmentName)
        """
    }
    .joined(separator: "\n")
  }

  /// Wraps `text` to lines of at most 80 columns, each indented by six; ArgumentParser would not indent the second line.
  private static func indented(_ text: String) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= 80 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("      \(word)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
