internal import Configuration
internal import Glibc

extension Settings {
  /// The settings as their sources say: options over environment over file over defaults.
  ///
  /// - Parameters:
  ///   - options: What the command line sets, by key.
  ///   - environment: The process's environment: `CONTEXTDIFF_LIMITS_FRAME_BYTES` sets
  ///     `limits.frameBytes`.
  ///   - path: The settings file; `nil` for none.
  /// - Throws: The first thing that is wrong, and where.
  package init(
    options: [String: String], environment: [String: String], file path: String?
  ) throws(SettingsError) {
    self.init()
    let file = try path.map { path throws(SettingsError) in
      try SettingsFile(yaml: Settings.contents(of: path), path: path)
    }
    let reader = ConfigReader(providers: [
      InMemoryProvider(
        name: "options", values: Settings.values(options)),
      EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "contextdiff"),
      InMemoryProvider(
        name: "file", values: Settings.values(file?.entries.mapValues(\.text) ?? [:])),
    ])
    for setting in Setting.all {
      guard let text = reader.string(forKey: ConfigKey(setting.key)) else { continue }
      let place =
        if options[setting.key] != nil {
          "--set \(setting.key)"
        } else if environment[setting.environmentName] != nil {
          setting.environmentName
        } else {
          file?.entries[setting.key]?.place ?? ""
        }
      try setting.set(text, in: &self, from: place)
    }
  }

  private static func values(_ texts: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (key, text) in texts {
      values[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(.string(text), isSecret: false)
    }
    return values
  }

  private static func contents(of path: String) throws(SettingsError) -> String {
    guard let file = fopen(path, "re") else {
      throw SettingsError(path, String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
      guard bytes.count <= 1 << 20 else { throw SettingsError(path, "it is larger than 1 MiB") }
    }
    guard ferror(file) == 0 else { throw SettingsError(path, String(cString: strerror(errno))) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsError(path, "it is not UTF-8")
    }
    return text
  }
}

extension Setting {
  /// Its environment variable: `CONTEXTDIFF_LIMITS_FRAME_BYTES`.
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
