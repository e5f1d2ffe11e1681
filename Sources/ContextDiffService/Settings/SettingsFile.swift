internal import CYaml

/// The settings that a file sets: YAML, one mapping for each part of a key.
struct SettingsFile {
  /// A value as it is written, and where: `file:line`.
  struct Entry {
    let text: String
    let place: String
  }

  /// The entries by their keys.
  private(set) var entries: [String: Entry] = [:]

  private let path: String

  /// Reads YAML.
  ///
  /// Every key must be a setting's, stand once and hold one valid value.
  ///
  /// - Parameters:
  ///   - yaml: The file's contents.
  ///   - path: The file's, for errors.
  /// - Throws: The first thing that is wrong, with its line.
  init(yaml: [UInt8], path: String) throws(SettingsError) {
    self.path = path
    // libyaml keeps the parser's address, so it may not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { throw SettingsError(path, "no memory") }
    defer { yaml_parser_delete(parser) }
    var document = yaml_document_t()
    // Likewise the text: it is copied, so that it stays for what follows the first document.
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: yaml.count)
    defer { text.deallocate() }
    _ = text.initialize(from: yaml)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    guard yaml_parser_load(parser, &document) == 1 else {
      throw SettingsFile.problem(of: parser, path: path)
    }
    defer { yaml_document_delete(&document) }
    guard let root = yaml_document_get_root_node(&document) else { return }
    try add(root, key: "", of: &document)
    try expectEnd(of: parser)
  }

  /// Only one document is read, and none is to be passed over.
  private func expectEnd(
    of parser: UnsafeMutablePointer<yaml_parser_t>
  ) throws(SettingsError) {
    var more = yaml_document_t()
    guard yaml_parser_load(parser, &more) == 1 else {
      throw SettingsFile.problem(of: parser, path: path)
    }
    defer { yaml_document_delete(&more) }
    guard let root = yaml_document_get_root_node(&more) else { return }
    throw SettingsError(
      "\(path):\(root.pointee.start_mark.line + 1)", "a second document begins; there can be one")
  }

  private static func problem(
    of parser: UnsafeMutablePointer<yaml_parser_t>, path: String
  ) -> SettingsError {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "not YAML"
    return SettingsError("\(path):\(parser.pointee.problem_mark.line + 1)", problem)
  }

  /// Adds the mapping of `key`, or the one value that it holds.
  private mutating func add(
    _ node: UnsafeMutablePointer<yaml_node_t>, key: String, of document: inout yaml_document_t
  ) throws(SettingsError) {
    let place = "\(path):\(node.pointee.start_mark.line + 1)"
    switch node.pointee.type {
    case YAML_MAPPING_NODE where key.utf8.isEmpty || Setting.isPrefix(key):
      var pair = node.pointee.data.mapping.pairs.start
      while let current = pair, current != node.pointee.data.mapping.pairs.top {
        guard let name = yaml_document_get_node(&document, current.pointee.key),
          let value = yaml_document_get_node(&document, current.pointee.value)
        else { throw SettingsError(place, "not YAML") }
        guard name.pointee.type == YAML_SCALAR_NODE else {
          throw SettingsError(place, "a key is to be a name")
        }
        let part = SettingsFile.text(of: name)
        try add(value, key: key.utf8.isEmpty ? part : "\(key).\(part)", of: &document)
        pair = current + 1
      }
    case YAML_SCALAR_NODE where key.utf8.isEmpty && SettingsFile.text(of: node).utf8.isEmpty:
      break
    case YAML_SCALAR_NODE:
      guard let setting = Setting.named(key) else { throw noSetting(key, at: place) }
      guard entries[key] == nil else { throw SettingsError(place, "\(key) stands twice") }
      let text = SettingsFile.text(of: node)
      var probe = Settings()
      try setting.set(text, in: &probe, from: place)
      entries[key] = Entry(text: text, place: place)
    default:
      guard Setting.named(key) != nil else { throw noSetting(key, at: place) }
      throw SettingsError(place, "\(key) is to be one value")
    }
  }

  /// Why what stands where `key` does is no setting's value.
  private func noSetting(_ key: String, at place: String) -> SettingsError {
    if key.utf8.isEmpty { return SettingsError(place, "the file is to be a mapping") }
    if Setting.isPrefix(key) { return SettingsError(place, "\(key) is to be a mapping") }
    return SettingsError(place, "there is no setting \(key)")
  }

  private static func text(of scalar: UnsafeMutablePointer<yaml_node_t>) -> String {
    let value = scalar.pointee.data.scalar
    return String(
      decoding: UnsafeBufferPointer(start: value.value, count: value.length), as: UTF8.self)
  }
}

extension Setting {
  /// The setting of that key; `nil` where there is none.
  package static func named(_ key: String) -> Setting? {
    all.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// Whether some setting's key begins with that one's parts.
  static func isPrefix(_ key: String) -> Bool {
    all.contains { $0.key.utf8.starts(with: "\(key).".utf8) }
  }
}
