/// A copy of a snapshot, in memory that the next one reuses.
struct KeptSnapshot: Sendable {
  /// The texts of the three fields, one behind the other.
  private var room = TextRoom(count: 0)
  private var beforeCount = 0
  private var selectedCount = 0
  private var afterCount = 0
  /// Whether each field is shown.
  private var shown = (before: false, selected: false, after: false)
  private var hasText: Bool?
  private var caret: Int?
  private var selectionShown: Bool?
  /// Whether the host says `""` where others say null, and has shown no null since.
  private(set) var saysEmpty = false
  /// The digest of the snapshot (`Fields.state`).
  private(set) var state: UInt64 = 0

  /// A copy of `fields`, of which `state` is the digest.
  init(_ fields: Fields, state: UInt64) { keep(fields, state: state) }

  /// Replaces the copy.
  mutating func keep(_ fields: Fields, state: UInt64) {
    self.state = state
    let all = fields.all
    // With room for some typing; a far larger room is given back.
    if all.count > room.count || all.count + 256 < room.count / 4 {
      room = TextRoom(count: all.count + max(128, all.count / 8))
    }
    room.write(all, at: 0)
    beforeCount = fields.before.bytes.count
    selectedCount = fields.selected.bytes.count
    afterCount = fields.after.bytes.count
    shown = (fields.before.isShown, fields.selected.isShown, fields.after.isShown)
    hasText = fields.hasText
    caret = fields.caret
    selectionShown = fields.selectionShown
    saysEmpty = fields.saysEmpty && fields.before.isShown && fields.after.isShown
  }

  /// Whether `old`, the old snapshot of a pair, shows the same texts as this; `nil` stands for this.
  @inline(__always) func isStart(of old: Fields?) -> Bool {
    old.map { fields.showsSameTexts(as: $0) } ?? true
  }

  /// The memory in use, in bytes.
  var heldBytes: Int { room.count }

  /// The snapshot; valid until another is kept, or this is released.
  @inline(__always) var fields: Fields {
    // Unsafe: as said above.
    let all = unsafe room.bytes
    let rest = all.dropFirst(beforeCount)
    return Fields(
      before: Field(all.prefix(beforeCount), isShown: shown.before),
      selected: Field(rest.prefix(selectedCount), isShown: shown.selected),
      after: Field(rest.dropFirst(selectedCount).prefix(afterCount), isShown: shown.after),
      hasText: hasText, caret: caret, selectionShown: selectionShown)
  }
}
