extension Session {
  /// The session as bytes, for another process of the same version to go on with: it reads every pair
  /// to come as this one would.
  ///
  /// The bytes hold the text that the session remembers.
  ///
  /// - Complexity: Linear in that text.
  public func archived() -> [UInt8] {
    var writer = ArchiveWriter()
    writer.write(Archive.magic)
    writer.write(latest)
    writer.write(window)
    // Follows from the next two, and stays for those who read this version.
    writer.write(toldWindow != nil ? 2 : belief.isLearnt ? 1 : 0)
    writer.write(toldWindow)
    writer.write(belief)
    writer.write(causeBelief)
    writer.write(groupingBelief)
    writer.write(namesShortcuts)
    writer.write(pasteboardDigest)
    writer.write(trail)
    writer.write(pairs)
    writer.write(memory)
    writer.write(beam.pasts.count)
    for past in beam.pasts { writer.write(past) }
    writer.write(isIndented)
    writer.write(elsewhere)
    writer.write(Array(clips.texts))
    writer.write(expected)
    return writer.bytes
  }

  /// The session that `archived()` gave; `nil` where the bytes are not such a session, or one of
  /// another version.
  ///
  /// Text beyond `memoryLimit` bytes is forgotten.
  ///
  /// - Complexity: Linear in the length of `archive`.
  public init?(archive: [UInt8], memoryLimit: Int = 65_536) {
    var reader = ArchiveReader(bytes: archive[...])
    guard reader.bytesField() == Archive.magic, let latest = reader.snapshot(),
      let window = reader.name(Window.self), reader.int() != nil,
      let toldWindow = reader.optional({ $0.name(Window.self) }),
      let belief = reader.windowBelief(),
      let causeBelief = reader.causeBelief(),
      let groupingBelief = reader.groupingBelief(), let namesShortcuts = reader.bool(),
      let pasteboardDigest = reader.optional({ $0.word() }),
      let trail = reader.trail(),
      let pairs = reader.length(), let memory = reader.memory(limit: memoryLimit),
      let beam = reader.pasts().flatMap(Beam.init), let isIndented = reader.bool(),
      let elsewhere = reader.stretches(limit: memoryLimit),
      let clips = reader.bytesField().flatMap(Clips.init),
      let expected = reader.expectedEdits(), reader.bytes.isEmpty
    else { return nil }
    self.init(memoryLimit: memoryLimit)
    kept = latest.map { $0.lend { KeptSnapshot($0, state: $0.state) } }
    self.window = window
    self.toldWindow = toldWindow
    self.belief = belief
    self.causeBelief = causeBelief
    self.groupingBelief = groupingBelief
    self.namesShortcuts = namesShortcuts
    self.pasteboardDigest = pasteboardDigest
    self.trail = trail
    self.pairs = pairs
    self.memory = memory
    self.beam = beam
    self.isIndented = isIndented
    self.elsewhere = elsewhere
    self.clips = clips
    self.expected = expected
    countHeldBytes()
  }
}

private enum Archive {
  /// Changes with the layout.
  static let magic = Array("contextdiff session 14".utf8)
}
