extension Session {
  /// The session as bytes, for another process of the same version to go on with: it will read every
  /// pair as this one would.
  ///
  /// The bytes hold the text that the session remembers.
  ///
  /// - Complexity: Linear in that text.
  public func archived() -> [UInt8] {
    var coder = ArchiveCoder()
    var session = self
    // Nothing is malformed where it is written.
    try? session.code(by: &coder)
    return coder.bytes
  }

  /// The session that `archived()` gave; `nil` where the bytes are no session, or one of another
  /// version.
  ///
  /// Text beyond `memoryLimit` bytes is forgotten; a negative limit counts as 0.
  ///
  /// - Complexity: Linear in the length of `archive`.
  public init?(archive: [UInt8], memoryLimit: Int = standardMemoryLimit) {
    self.init(memoryLimit: memoryLimit)
    var coder = ArchiveCoder(reading: archive)
    do { try code(by: &coder) } catch { return nil }
  }

  /// What an archive begins with; it changes with the layout.
  private static let magic = Array("contextdiff session 16".utf8)

  /// Writes the whole session, or reads it.
  private mutating func code(by coder: inout ArchiveCoder) throws {
    let magic = try coder.data(Session.magic)
    try coder.check(magic == Session.magic)
    let latest = try coder.optional(latest) { try $0.snapshot($1) }
    let saysEmpty = try coder.bool(kept?.saysEmpty)
    kept = latest.map {
      $0.lend {
        var fields = $0
        fields.hostSaysEmpty = saysEmpty
        return KeptSnapshot(fields, state: fields.state)
      }
    }
    window = try coder.name(window)
    toldWindow = try coder.optional(toldWindow) { try $0.name($1) }
    windowBelief = try coder.windowBelief(windowBelief)
    causeBelief = try coder.causeBelief(causeBelief)
    groupingBelief = try coder.groupingBelief(groupingBelief)
    namesShortcuts = try coder.bool(namesShortcuts)
    pasteboardDigest = try coder.optional(pasteboardDigest) { try $0.word($1) }
    trail = try coder.trail(trail)
    pairs = try coder.length(pairs)
    let limit = memory.limit
    memory = try coder.memory(memory, limit: limit)
    beam = try coder.beam(beam)
    isIndented = try coder.bool(isIndented)
    elsewhere = try coder.stretches(elsewhere, limit: limit)
    clips = try coder.clips(clips)
    expected = try coder.expectedEdits(expected)
    // Nothing follows.
    try coder.check(coder.unread == [])
  }
}
