/// Translates what one input context of a host reports into what a `Session` takes.
///
/// Every event of the host is passed to it; `surroundingText` returns the snapshot and the evidence,
/// corrected where the host is known to report wrongly. It keeps no text, only digests of the last one and of the last
/// commit.
public struct HostField: Sendable {
  /// Why a host's report is no snapshot.
  public enum OutOfText: Error {
    /// The caret, which came as `cursor`, lies outside of the text: the two are of different moments, or of
    /// different fields.
    case cursor
    /// The same of a caret that came as `anchor`, as it does from GTK 4 through fcitx5 and Wayland.
    case anchor
  }

  /// The toolkit that shows the text; `nil` where that is not known.
  ///
  /// To be set with `focusIn` where the focus went to another program.
  public var toolkit: Toolkit? {
    get { host.toolkit }
    set { host.toolkit = newValue }
  }

  private(set) var host: Host
  private var last: Told?
  private var keys = PressedKeys()
  private var wasReset = false
  /// What was committed since the last report, and may still be missing in the host's text.
  private var committed: Committed?

  /// A field of a `toolkit`, seen through a `frontEnd`.
  public init(_ frontEnd: FrontEnd, toolkit: Toolkit? = nil) {
    host = Host(frontEnd: frontEnd, toolkit: toolkit)
  }

  /// The focus came to this input context, perhaps to another field in it.
  ///
  /// The caller begins a new session with the next report. IBus first reports the former field's text once
  /// more, which comes out as `nil`; from other front ends an equal text is the new field's own.
  public mutating func focusIn() {
    if host.holdsOldFieldsText { last?.isOtherFields = true } else { last = nil }
    forget()
  }

  /// The host reported what cannot be read: what it reports next is new, whatever it is.
  package mutating func skip() {
    last = nil
    forget()
  }

  /// The host reset its input method.
  public mutating func reset() { wasReset = true }

  /// The input method puts `text` into the field; to be called before the host reports it.
  ///
  /// Some hosts (Firefox) report the new caret before the new text: such a report comes out as `nil`, once for
  /// each commit.
  ///
  /// - Complexity: Linear in the text's length.
  public mutating func commit(_ text: String) {
    text.withBytes { commit($0) }
  }

  /// The same with borrowed text.
  package mutating func commit(_ text: Bytes) {
    guard host.showsCaretFirst, !text.isEmpty else { return }
    committed = Committed(
      length: text.count, digest: text.digest, count: (committed?.count ?? 0) + 1)
  }

  /// A key press goes to the host; to be called for no release, and for no key that the input method takes.
  ///
  /// - Parameters: As those of `Key.init(keysym:modifiers:)`.
  public mutating func key(keysym: UInt32, modifiers: UInt32) {
    keys.add(KeyPress(keysym: keysym, modifiers: modifiers))
  }

  /// The host reports its text, and the two ends of the selection, as they came.
  ///
  /// - Parameters:
  ///   - text: All that the host shows.
  ///   - cursor: The caret's place, as it came: in bytes of UTF-8 from `wayland`, in UTF-16 units from
  ///     `android` and from Qt through `ibus`, else in scalars.
  ///   - anchor: The selection's other end, in the same unit; from IBus unsigned as it came, or negative. One
  ///     outside of the text stands for the text's nearer end: the selection goes on beyond.
  /// - Returns: What is new; `nil` for the last report again, the former field's text, or a text without the
  ///   last commit.
  /// - Throws: `OutOfText` where the caret is outside of the text: from GTK 4 through fcitx5 and Wayland that is
  ///   `anchor`, and `cursor` the selection's other end.
  /// - Complexity: Linear in the text's length.
  public mutating func surroundingText(
    _ text: String, cursor: Int, anchor: Int
  ) throws(OutOfText) -> HostNews? {
    let result: Result<HostNews?, OutOfText> = text.withBytes { bytes in
      Result { () throws(OutOfText) in
        guard let news = try see(bytes, cursor: cursor, anchor: anchor) else { return nil }
        return HostNews(snapshot: Snapshot(news.fields(of: bytes)), evidence: news.evidence)
      }
    }
    return try result.get()
  }

  /// The same with borrowed text.
  package mutating func see(
    _ text: Bytes, cursor: Int, anchor: Int
  ) throws(OutOfText) -> LentHostNews? {
    guard let told = try read(RawText(text: text, cursor: cursor, anchor: anchor)) else {
      return nil
    }
    defer { forget() }
    var caret: Int?
    if host.showsDocument {
      caret = text.prefix(told.selection.lowerBound).scalarCount
    }
    return LentHostNews(
      told: told, selectionShown: host.hidesSelections || !told.tellsSelection ? false : nil,
      caret: caret,
      evidence: Evidence(
        window: host.window, key: keys.key, merged: keys.areMerged,
        reset: wasReset && host.resetsTell))
  }

  /// The text's length, in the front end's unit.
  package func length(of text: Bytes) -> Int { text.count(in: host.unit) }

  /// The report with its errors repaired; `nil` where it is the last one again, or lacks the last commit.
  private mutating func read(_ raw: RawText) throws(OutOfText) -> ToldText? {
    let digest = raw.text.digest
    let isSameText = digest == last?.digest
    if isSameText, raw.cursor == last?.cursor, raw.anchor == last?.anchor {
      // The former field's comes once; the same again is this one's.
      if last?.isOtherFields ?? false { last = nil }
      return nil
    }
    let (cursor, anchor) = (raw.cursor, raw.anchor)
    var raw = raw
    raw.readNegativeOffset(of: host)
    raw.swapEnds(of: host)
    var told = try ends(of: raw)
    told.distrustEndOfBlock(of: host, last: isSameText ? last?.told : nil)
    if lacksCommitted(raw.text.prefix(told.caret)) { return nil }
    last = Told(digest: digest, cursor: cursor, anchor: anchor, told: told)
    if host.hidesSelections { told.anchor = told.caret }
    told.keepLine(of: raw.text, host: host)
    return told
  }

  /// Whether `before` lacks the last commit at its end, although no key went to the host since the last report.
  private mutating func lacksCommitted(_ before: Bytes) -> Bool {
    guard let missing = committed, missing.count > 0, keys.areNone else { return false }
    let end = before.suffix(atMost: missing.length)
    if end.digest == missing.digest { return false }
    committed?.count -= 1
    return true
  }

  /// Forgets what happened since the last report, which has now been reported.
  private mutating func forget() {
    keys.forget()
    wasReset = false
    committed = nil
  }

  /// The two ends, converted to bytes.
  private func ends(of raw: RawText) throws(OutOfText) -> ToldText {
    let text = raw.text
    func place(_ offset: Int) -> Int? { text.bytes(in: offset, host.unit) }
    guard let cursor = place(raw.cursor) else { throw host.swapsEnds ? .anchor : .cursor }
    if host.frontEnd == .ibus, host.toolkit == .gtk4 {
      let length = text.scalarCount
      let caret = ToldText.caret(
        mirroredAt: min(max(raw.anchor, 0), length), around: raw.cursor, length: length
      ).flatMap(place)
      return ToldText(
        start: 0, end: text.count, caret: caret ?? cursor, anchor: cursor,
        tellsSelection: caret != nil)
    }
    return ToldText(
      start: 0, end: text.count, caret: cursor,
      anchor: place(raw.anchor) ?? ToldText.edge(of: raw.anchor, text))
  }
}

/// The last report, without its text.
private struct Told: Sendable {
  /// The digest of the text.
  var digest: UInt64
  /// The two ends of the selection, as they came.
  var cursor: Int
  var anchor: Int
  var told: ToldText
  /// Whether the focus has come to another field since.
  var isOtherFields = false
}

/// The commits since the last report, without their text.
private struct Committed: Sendable {
  /// The length of the last commit, in bytes.
  var length: Int
  /// The digest of the last commit.
  var digest: UInt64
  /// How many more reports may lack it.
  var count: Int
}
