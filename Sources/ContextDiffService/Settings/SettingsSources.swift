internal import Configuration
internal import Glibc
internal import Varlink

/// The sources of settings: an option counts more than the environment, that more than the file, that more than the
/// default.
package struct SettingsSources: Sendable {
  /// The settings of the command line, by key.
  package let options: [String: String]
  /// The process's environment: `CONTEXTDIFF_LIMITS_FRAME_BYTES` sets `limits.frameBytes`.
  package let environment: [String: String]
  /// The settings file's path; `nil` for the user's own file, or else the machine's.
  package let file: String?

  /// These sources; `environment` is the process's where it is `nil`.
  package init(
    options: [String: String] = [:], environment: [String: String]? = nil, file: String? = nil
  ) {
    self.options = options
    self.environment = environment ?? SettingsSources.processEnvironment
    self.file = file
  }

  /// The path of the settings file that `read` reads; `nil` where there is none.
  package var readFile: String? { file ?? usualFile }

  /// Reads the sources; blocks on the file.
  ///
  /// - Returns: The settings, and for each setting that is set, by its key, the place where it is, for errors.
  /// - Throws: The first fault, and its place.
  package func read() throws(SettingsError) -> (settings: Settings, places: [String: String]) {
    var settings = Settings()
    var places: [String: String] = [:]
    let file = try readFile.map { path throws(SettingsError) in
      try SettingsFile(yaml: SettingsSources.contents(of: path), path: path)
    }
    let reader = ConfigReader(providers: [
      InMemoryProvider(
        name: "options", values: SettingsSources.values(options)),
      EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(
        with: "contextdiff"),
      InMemoryProvider(
        name: "file", values: SettingsSources.values(file?.entries.mapValues(\.text) ?? [:])),
    ])
    for setting in Setting.all {
      guard let text = reader.string(forKey: ConfigKey(setting.key)) else { continue }
      let place =
        if options[setting.key] != nil {
          SettingsError.commandLine
        } else if environment[setting.environmentName] != nil {
          setting.environmentName
        } else {
          file?.entries[setting.key]?.place ?? ""
        }
      try setting.set(text, in: &settings, from: place)
      places[setting.key] = place
    }
    try SettingsSources.reconcile(&settings, places)
    return (settings, places)
  }

  /// Checks `limits.totalBytes`, and each setting that another one bounds: throws where it was set beyond the bound; a
  /// default is lowered to the bound.
  private static func reconcile(
    _ settings: inout Settings, _ places: [String: String]
  ) throws(SettingsError) {
    let limits = settings.limits
    if (1..<MemoryBudget.least).contains(limits.totalBytes) {
      throw SettingsError(
        places["limits.totalBytes"] ?? "",
        "limits.totalBytes is to be at least \(MemoryBudget.least), or 0")
    }
    if limits.fieldBytes > limits.frameBytes {
      if let place = places["limits.fieldBytes"] {
        throw SettingsError(
          place, "limits.fieldBytes is to be at most limits.frameBytes, \(limits.frameBytes)")
      }
      settings.limits.fieldBytes = limits.frameBytes
    }
    if limits.memoryBytes > limits.sessionsBytes, let place = places["limits.memoryBytes"] {
      throw SettingsError(
        place, "limits.memoryBytes is to be at most limits.sessionsBytes, \(limits.sessionsBytes)")
    }
  }

  /// A line for people that names the variables of the environment that begin as settings do and are none; `nil` where
  /// there are none.
  ///
  /// It does not contain their values.
  package var warning: String? {
    let known = Setting.all.map(\.environmentName) + SettingsSources.clientsVariables
    let stray = environment.keys.filter { name in
      name.hasPrefix("CONTEXTDIFF_") && !known.contains(name)
        && name.utf8.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
    }
    guard !stray.isEmpty else { return nil }
    let names = stray.sorted().joined(separator: ", ")
    return "nothing is set by \(names): no setting has such a name (contextdiffd --help lists them)"
  }

  /// Variables that set something for clients, and that the daemon may inherit.
  private static let clientsVariables = ["CONTEXTDIFF_SOCKET", "CONTEXTDIFF_LIBRARY"]

  /// The user's own settings file, else the machine's; `nil` where there is neither.
  ///
  /// Looked up at each reading, so that a reload finds a file that was made later.
  private var usualFile: String? {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.utf8.isEmpty ? nil : $0 }
    }
    let folder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
    let paths = [folder, "/etc"].compactMap { $0.map { $0 + "/contextdiff/contextdiffd.yaml" } }
    return paths.first(where: SettingsSources.isThere)
  }

  /// Whether a settings file is at `path`.
  ///
  /// True also where that cannot be found out, so that reading the file fails with an error; but false where the process
  /// may not enter a folder outside /etc, since the file is another user's then.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    // Unsafe: C reads the path, and fills the status, before it returns.
    if unsafe lstat(path, &status) == 0 { return true }
    return errno != ENOENT && errno != ENOTDIR && (errno != EACCES || path.hasPrefix("/etc/"))
  }

  /// The environment of this process.
  private static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    // Unsafe: the environment ends with a null; each text is copied at once.
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      let text = unsafe String(cString: variable)
      // By bytes: a mark that begins the value would be one character with the sign.
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
      }
      unsafe next += 1
    }
    return variables
  }

  private static func values(_ texts: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (key, text) in texts {
      values[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(.string(text), isSecret: false)
    }
    return values
  }

  /// The contents of the file at `path`; throws where it cannot be read, or is larger than 1 MiB.
  ///
  /// A pipe that nobody writes to is not waited for: opened without waiting, it has nothing, which is an error.
  static func contents(of path: String) throws(SettingsError) -> [UInt8] {
    // Unsafe: C reads the path before it returns, and fills no more than the bytes and the status that there are.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw SettingsError(path, String(errno: errno))
    }
    defer { close(descriptor) }
    // Somebody who writes to a pipe is waited for, as `--config <(…)` needs.
    _ = fcntl(descriptor, F_SETFL, 0)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SettingsError(path, String(errno: errno)) }
      if count == 0 { break }
      bytes += chunk[..<count]
      guard bytes.count <= 1 << 20 else { throw SettingsError(path, "it is larger than 1 MiB") }
    }
    var status = stat()
    if bytes.isEmpty, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      throw SettingsError(path, "nothing is written to this pipe")
    }
    return bytes
  }
}

extension Setting {
  /// The name of the setting's environment variable: `CONTEXTDIFF_LIMITS_FRAME_BYTES` for `limits.frameBytes`.
  package var environmentName: String {
    var name = "CONTEXTDIFF_"
    for character in key {
      if character == "." {
        name.append("_")
      } else {
        if character.isUppercase { name.append("_") }
        name.append(contentsOf: character.uppercased())
      }
    }
    return name
  }
}
