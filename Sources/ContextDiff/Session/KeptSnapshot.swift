/// A snapshot that a session keeps, in memory that the next one reuses.
struct KeptSnapshot: Sendable {
  /// Room for the three fields, one behind the other.
  private var text: [UInt8] = []
  private var beforeCount = 0
  private var selectedCount = 0
  private var afterCount = 0
  /// Whether each field is shown.
  private var shown = (before: false, selected: false, after: false)
  private var hasText: Bool?

  init(_ fields: Fields) { keep(fields) }

  init(_ snapshot: Snapshot) {
    self.init(.hidden)
    snapshot.lend { keep($0) }
  }

  /// Takes the place of what was kept.
  mutating func keep(_ fields: Fields) {
    let all = fields.all
    if all.count > text.count || all.count < text.count / 4 {
      text = [UInt8](repeating: 0, count: all.count + all.count / 8)
    }
    text.write(all, at: 0)
    beforeCount = fields.before.bytes.count
    selectedCount = fields.selected.bytes.count
    afterCount = fields.after.bytes.count
    shown = (fields.before.isShown, fields.selected.isShown, fields.after.isShown)
    hasText = fields.hasText
  }

  /// Lends it to `body`.
  func lend<Result>(to body: (Fields) -> Result) -> Result {
    text.withUnsafeBufferPointer { text in
      let all = Bytes(text)
      let rest = all.dropFirst(beforeCount)
      return body(
        Fields(
          before: Field(all.prefix(beforeCount), isShown: shown.before),
          selected: Field(rest.prefix(selectedCount), isShown: shown.selected),
          after: Field(rest.dropFirst(selectedCount).prefix(afterCount), isShown: shown.after),
          hasText: hasText))
    }
  }
}
