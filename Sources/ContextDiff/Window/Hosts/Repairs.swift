// What hosts report wrongly; each function corrects one error. Seen on Debian 12 with IBus 1.5.27, fcitx5's toolkit
// plugins 5.0 and sway 1.7, in recordings whose truth is the application's own state.

extension RawText {
  /// Restores a negative anchor that IBus turned into a large unsigned one.
  ///
  /// Qt counts from the start of the caret's block, and a selection may begin before that.
  mutating func readNegativeOffset(of host: Host) {
    guard host.frontEnd == .ibus, anchor > Int(Int32.max), let read = UInt32(exactly: anchor)
    else { return }
    anchor = Int(Int32(bitPattern: read))
  }

  /// From GTK 4, through fcitx5's clients and Wayland, caret and anchor come in the wrong order.
  mutating func swapEnds(of host: Host) {
    if host.swapsEnds { swap(&cursor, &anchor) }
  }
}

extension Host {
  /// Whether its caret comes as the anchor.
  var swapsEnds: Bool { toolkit == .gtk4 && (frontEnd == .fcitx5 || isWayland) }
}

extension ToldText {
  /// IBus's client of GTK 4 reports the selection's other end as the cursor, and as the anchor the caret
  /// mirrored around it: 2 · bound − caret, clamped to the text.
  ///
  /// - Parameters:
  ///   - anchor: The mirrored caret, as reported, in scalars.
  ///   - bound: The selection's other end, as reported, in scalars.
  ///   - length: The text's length, in scalars.
  /// - Returns: The caret, in scalars; `nil` where clamping leaves several places for it.
  static func caret(mirroredAt anchor: Int, around bound: Int, length: Int) -> Int? {
    if anchor == bound { return bound }
    let caret = 2 * bound - anchor
    // Clamped, the caret may be anywhere from here to the other end of the text.
    if anchor == 0 || anchor == length { return caret == length - anchor ? caret : nil }
    return (0...length).contains(caret) ? caret : nil
  }

  /// The end of the text that stands for `offset`, which lies outside of it: the selection goes on beyond.
  static func edge(of offset: Int, _ text: Bytes) -> Int { offset < 0 ? 0 : text.count }

  /// Through Wayland and fcitx5, Qt reports an anchor in an earlier block as one at the end of the caret's
  /// block: such a selection is not relied on, unless the last report already had its anchor there.
  ///
  /// - Parameters:
  ///   - host: The host that reported it.
  ///   - last: The last report, if it had the same text.
  mutating func distrustEndOfBlock(of host: Host, last: ToldText?) {
    guard host.toolkit == .qt, host.isWayland || host.frontEnd == .fcitx5 else { return }
    guard anchor == end, caret < anchor else { return }
    if let last, last.tellsSelection, last.anchor == end { return }
    anchor = caret
    tellsSelection = false
  }

  /// Cuts the text to the line of the caret, or the lines of the selection.
  ///
  /// At a line's end GTK 3 shows the next line too, at a line's start Firefox the line above.
  mutating func keepLine(of text: Bytes, host: Host) {
    guard host.window == .line, host.toolkit == .gtk3 || host.toolkit == .firefox else { return }
    start = text.prefix(selection.lowerBound).lastLineStart
    end = selection.upperBound + text.dropFirst(selection.upperBound).lineEnd
  }
}
