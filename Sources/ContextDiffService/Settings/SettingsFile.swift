internal import Yams

/// The settings that a file sets: YAML, one mapping for each part of a key.
struct SettingsFile {
  /// A value as it is written, and where: `file:line`.
  struct Entry {
    let text: String
    let place: String
  }

  /// The entries by their keys.
  private(set) var entries: [String: Entry] = [:]

  /// Reads YAML. Every key must be a setting's, and hold one value.
  init(yaml: String, path: String) throws(SettingsError) {
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw SettingsError(path, SettingsFile.describe(error))
    }
    guard let root else { return }
    guard case .mapping(let mapping) = root else {
      if case .scalar(let scalar) = root, scalar.string.isEmpty { return }
      throw SettingsError(path, "it is to be a mapping from settings to values")
    }
    try add(mapping, below: "", path: path)
  }

  private mutating func add(
    _ mapping: Node.Mapping, below prefix: String, path: String
  ) throws(SettingsError) {
    for (name, value) in mapping {
      let place = name.mark.map { "\(path):\($0.line)" } ?? path
      guard let name = name.string else { throw SettingsError(place, "a key is to be a name") }
      let key = prefix.isEmpty ? name : "\(prefix).\(name)"
      switch value {
      case .mapping(let inner):
        guard Setting.all.contains(where: { $0.key.utf8.starts(with: "\(key).".utf8) }) else {
          throw SettingsError(place, "there is no setting \(key)")
        }
        try add(inner, below: key, path: path)
      case .scalar(let scalar):
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
          throw SettingsError(place, "there is no setting \(key)")
        }
        var probe = Settings()
        try setting.set(scalar.string, in: &probe, from: place)
        entries[key] = Entry(text: scalar.string, place: place)
      default:
        throw SettingsError(place, "\(key) is to be one value")
      }
    }
  }

  private static func describe(_ error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "line \(mark.line): \(problem)"
    case .duplicatedKeysInMapping(_, let mark): "line \(mark.mark.line): a key stands twice"
    default: "it is not YAML"
    }
  }
}
