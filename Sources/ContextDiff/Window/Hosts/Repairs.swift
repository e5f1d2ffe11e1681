// What hosts tell wrong, each put right by one rule. Seen on Debian 12 with IBus 1.5.27, fcitx5's
// toolkit plugins 5.0 and sway 1.7, in recordings whose truth is the application's own state.

extension RawText {
  /// An unsigned offset of IBus's that was a negative one: Qt counts from its block's start, and a
  /// selection may begin before that.
  mutating func readNegativeOffset(of host: Host) {
    guard host.frontEnd == .ibus, anchor > Int(Int32.max), anchor <= Int(UInt32.max) else { return }
    anchor = Int(Int32(truncatingIfNeeded: anchor))
  }

  /// GTK 4 hands its two ends over in the wrong order: fcitx5's clients and Wayland take the caret
  /// for the anchor.
  mutating func swapEnds(of host: Host) {
    guard host.toolkit == .gtk4, host.frontEnd == .fcitx5 || host.isWayland else { return }
    swap(&cursor, &anchor)
  }
}

extension ToldText {
  /// IBus's client of GTK 4 takes the selection's other end for the caret, and mirrors the caret
  /// around it: the anchor is 2 · bound − caret, cut off at the text's ends.
  ///
  /// - Parameters:
  ///   - anchor: The mirrored caret, as told, in scalars.
  ///   - bound: The other end, as told, in scalars.
  ///   - length: How long the text is, in scalars.
  /// - Returns: Where the caret is, in scalars; `nil` where it was cut off and could be at several places.
  static func caret(mirroredAt anchor: Int, around bound: Int, length: Int) -> Int? {
    if anchor == bound { return bound }
    let caret = 2 * bound - anchor
    // Cut off at a text's end, the mirror's image is anywhere from here to the other end.
    if anchor == 0 || anchor == length { return caret == length - anchor ? caret : nil }
    return (0...length).contains(caret) ? caret : nil
  }

  /// An end of the selection that lies outside of the text that is shown is at its edge: the
  /// selection goes on beyond.
  static func edge(of offset: Int, _ text: Bytes) -> Int { offset < 0 ? 0 : text.count }

  /// On Wayland, and to fcitx5, Qt shows an anchor in an earlier block at the end of the caret's: a
  /// selection that is none.
  ///
  /// One that really began at the end was seen to begin there.
  ///
  /// - Parameters:
  ///   - host: Who told it.
  ///   - last: What was told before, where that was the same text.
  mutating func distrustEndOfBlock(of host: Host, last: ToldText?) {
    guard host.toolkit == .qt, host.isWayland || host.frontEnd == .fcitx5 else { return }
    guard anchor == end, caret < anchor else { return }
    if let last, last.tellsSelection, last.anchor == end { return }
    anchor = caret
    tellsSelection = false
  }

  /// What is not the caret's line goes.
  ///
  /// At a line's end GTK 3 shows the next line too, and at its start Firefox the one above, behind a
  /// newline; with a selection Firefox shows all its lines.
  mutating func keepLine(of text: Bytes, host: Host) {
    guard host.window == .line, host.toolkit == .gtk3 || host.toolkit == .firefox else { return }
    start = text.prefix(selection.lowerBound).lastLineStart
    end = selection.upperBound + text.dropFirst(selection.upperBound).lineEnd
  }
}
