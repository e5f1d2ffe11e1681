internal import CYaml

/// The contents of a settings file: YAML, with a nested mapping for each part of a key but the last.
struct SettingsFile {
  /// A value as it is written, and its place, `file:line`.
  struct Entry {
    let text: String
    let place: String
  }

  /// The entries by the keys of their settings.
  private(set) var entries: [String: Entry] = [:]
  /// The keys that the file has, also those of nested mappings.
  private var keys: Set<String> = []

  private let path: String

  /// Reads YAML.
  ///
  /// Every key must be a setting's, and occur once, with one valid value. An empty file sets nothing.
  ///
  /// - Parameters:
  ///   - yaml: The file's contents.
  ///   - path: The file's path, for errors.
  /// - Throws: The first fault, with its line.
  init(yaml: [UInt8], path: String) throws(SettingsError) {
    self.path = path
    // libyaml keeps the parser's address, so it may not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    // Unsafe: libyaml's parser and document, and the text, live until the end of this initializer.
    defer { unsafe parser.deallocate() }
    guard unsafe yaml_parser_initialize(parser) == 1 else { throw SettingsError(path, "no memory") }
    defer { unsafe yaml_parser_delete(parser) }
    var document = unsafe yaml_document_t()
    // libyaml keeps the address of the text, too, also for what follows the first document.
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: yaml.count)
    defer { unsafe text.deallocate() }
    _ = unsafe text.initialize(from: yaml)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    guard unsafe yaml_parser_load(parser, &document) == 1 else {
      throw unsafe SettingsFile.problem(of: parser, path: path)
    }
    defer { unsafe yaml_document_delete(&document) }
    guard let root = unsafe yaml_document_get_root_node(&document) else { return }
    unsafe try add(root, key: "", of: &document)
    unsafe try expectEnd(of: parser)
  }

  /// Throws where another document follows, which would not be read.
  private func expectEnd(
    of parser: UnsafeMutablePointer<yaml_parser_t>
  ) throws(SettingsError) {
    // Unsafe: the caller's parser; a document's node is used while the document lives.
    var more = unsafe yaml_document_t()
    guard unsafe yaml_parser_load(parser, &more) == 1 else {
      throw unsafe SettingsFile.problem(of: parser, path: path)
    }
    defer { unsafe yaml_document_delete(&more) }
    guard let root = unsafe yaml_document_get_root_node(&more) else { return }
    throw SettingsError(
      unsafe "\(path):\(root.pointee.start_mark.line + 1)",
      "a second document begins; there can be one")
  }

  /// The error that the parser has found, with its line.
  private static func problem(
    of parser: UnsafeMutablePointer<yaml_parser_t>, path: String
  ) -> SettingsError {
    // Unsafe: the parser's own text, copied at once.
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
    return SettingsError(unsafe "\(path):\(parser.pointee.problem_mark.line + 1)", problem)
  }

  /// Adds the entries in `node`, which is the value of `key`; the file's outermost mapping has the empty key.
  private mutating func add(
    _ node: UnsafeMutablePointer<yaml_node_t>, key: String, of document: inout yaml_document_t
  ) throws(SettingsError) {
    // Unsafe: the nodes are the document's, which the caller keeps.
    let place = unsafe "\(path):\(node.pointee.start_mark.line + 1)"
    switch unsafe node.pointee.type {
    case YAML_MAPPING_NODE where key.utf8.isEmpty || Setting.isPrefix(key):
      var pair = unsafe node.pointee.data.mapping.pairs.start
      while let current = unsafe pair, unsafe current != node.pointee.data.mapping.pairs.top {
        guard let name = unsafe yaml_document_get_node(&document, current.pointee.key),
          let value = unsafe yaml_document_get_node(&document, current.pointee.value)
        else { throw SettingsError(place, "not YAML") }
        guard unsafe name.pointee.type == YAML_SCALAR_NODE else {
          throw SettingsError(place, "a key is to be a name")
        }
        let part = unsafe SettingsFile.text(of: name)
        let place = unsafe "\(path):\(name.pointee.start_mark.line + 1)"
        guard !part.utf8.contains(UInt8(ascii: ".")) else {
          throw SettingsError(place, "each part of \(part) is to be a key of its own")
        }
        let key = key.utf8.isEmpty ? part : "\(key).\(part)"
        guard keys.insert(key).inserted else { throw SettingsError(place, "\(key) stands twice") }
        unsafe try add(value, key: key, of: &document)
        unsafe pair = current + 1
      }
    // An empty file, or a mapping of which each line is commented out.
    case YAML_SCALAR_NODE
    where unsafe SettingsFile.text(of: node).utf8.isEmpty
      && (key.utf8.isEmpty || Setting.isPrefix(key)):
      break
    case YAML_SCALAR_NODE:
      guard let setting = Setting.named(key) else { throw noSetting(key, at: place) }
      let text = unsafe SettingsFile.text(of: node)
      var probe = Settings()
      try setting.set(text, in: &probe, from: place)
      let isPlain = unsafe node.pointee.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
      if setting.isText, isPlain, SettingsFile.isNoText(text) {
        throw setting.mistake(at: place, form: ", in quotation marks")
      }
      if !setting.isText, !isPlain {
        throw setting.mistake(at: place, form: ", without quotation marks")
      }
      entries[key] = Entry(text: text, place: place)
    default:
      guard Setting.named(key) != nil else { throw noSetting(key, at: place) }
      throw SettingsError(place, "\(key) is to be one value")
    }
  }

  /// The error that `key` is not a setting's, or that the file, or a key of nested settings, has no mapping.
  private func noSetting(_ key: String, at place: String) -> SettingsError {
    if key.utf8.isEmpty { return SettingsError(place, "the file is to be a mapping") }
    if Setting.isPrefix(key) { return SettingsError(place, "\(key) is to be a mapping") }
    return SettingsError(place, Setting.mistake(naming: key))
  }

  /// Whether YAML reads a plain scalar as null, a boolean or a number, and not as a text (YAML 1.2, 10.3.2).
  private static func isNoText(_ plain: String) -> Bool {
    let words = [
      "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
      ".nan", ".inf", "+.inf", "-.inf",
    ]
    if words.contains(plain) { return true }
    if plain.hasPrefix("0o") { return Int(plain.dropFirst(2), radix: 8) != nil }
    // A digit is required, because `Double` reads "inf" and "nan", too, which YAML does not.
    return plain.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Double(plain) != nil
  }

  private static func text(of scalar: UnsafeMutablePointer<yaml_node_t>) -> String {
    // Unsafe: the scalar's own bytes, `length` of them, copied at once.
    let value = unsafe scalar.pointee.data.scalar
    return unsafe String(
      decoding: UnsafeBufferPointer(start: value.value, count: value.length), as: UTF8.self)
  }
}

extension Setting {
  /// The setting with that key; `nil` where there is none.
  package static func named(_ key: String) -> Setting? {
    all.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// Says that there is no setting `key`, and names the one with the same last part, whatever the case of its letters.
  package static func mistake(naming key: String) -> String {
    func last(_ key: String) -> String? { key.split(separator: ".").last?.lowercased() }
    let meant = last(key).flatMap { part in all.first { last($0.key) == part } }
    return "there is no setting \(key)" + (meant.map { "; there is \($0.key)" } ?? "")
  }

  /// Whether a setting's key begins with `key` and a full stop.
  static func isPrefix(_ key: String) -> Bool {
    all.contains { $0.key.utf8.starts(with: "\(key).".utf8) }
  }
}
