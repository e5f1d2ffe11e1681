internal import CContextDiff
internal import ContextDiff

/// What a `contextdiff_field` is: the field, and the snapshot last given to C.
final class FieldObject {
  var field: HostField
  /// The snapshot that the last observation points to.
  private let snapshot: UnsafeMutablePointer<contextdiff_snapshot>
  /// The text that it points to, where that was UTF-16.
  private var converted: [UInt8] = []

  init(_ frontEnd: contextdiff_front_end, _ toolkit: contextdiff_toolkit) throws(Failure) {
    field = HostField(try FrontEnd.told(frontEnd), toolkit: try Toolkit.told(toolkit))
    // What is allocated before an error is thrown, nobody gives back.
    snapshot = .allocate(capacity: 1)
    snapshot.initialize(to: contextdiff_snapshot())
  }

  deinit { snapshot.deallocate() }

  /// Takes UTF-8 that the caller keeps as long as it uses the observation.
  ///
  /// - Returns: Whether there are news.
  /// - Throws: `Failure` where the text or the caret's place cannot be; the observation is as it was.
  func see(
    _ text: contextdiff_text, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    guard let bytes = try text.bytes("text") else { throw .invalid("text: NULL") }
    return try see(bytes, cursor: cursor, anchor: anchor, into: observation)
  }

  /// The input method puts text into the field.
  func commit(_ text: contextdiff_text) throws(Failure) {
    guard let bytes = try text.bytes("text") else { throw .invalid("text: NULL") }
    field.commit(bytes)
  }

  /// What is new in UTF-8; `nil` where nothing is.
  func news(
    _ text: contextdiff_text, cursor: Int64, anchor: Int64
  ) throws(Failure) -> HostNews? {
    guard let text = try text.string("text") else { throw .invalid("text: NULL") }
    do { return try field.surroundingText(text, cursor: Int(cursor), anchor: Int(anchor)) } catch {
      throw .outOfText
    }
  }

  /// As `see` with UTF-16, which is converted and kept.
  func see(
    _ text: UnsafePointer<UInt16>?, length: Int, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    guard let text else { throw .invalid("text: NULL") }
    let limit = Int(CONTEXTDIFF_TEXT_LIMIT)
    guard length >= 0, length <= limit / 2 else {
      throw Failure(CONTEXTDIFF_TOO_LARGE, "text: more than \(limit / 2) units")
    }
    let units = UnsafeBufferPointer(start: text, count: length)
    guard let string = String(validating: units, as: UTF16.self) else {
      throw Failure(CONTEXTDIFF_INVALID_TEXT, "text: not UTF-16")
    }
    converted = Array(string.utf8)
    // The array stays as it is until the next call, and so does the place of its elements.
    return try converted.withUnsafeBufferPointer { (bytes) throws(Failure) in
      try see(Bytes(bytes), cursor: cursor, anchor: anchor, into: observation)
    }
  }

  /// Takes UTF-8 that stays as long as the observation is used.
  private func see(
    _ bytes: Bytes, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    guard let observation else { throw .invalid("observation: NULL") }
    // The members that are written are there in every version of the header.
    var told = try contextdiff_observation(UnsafePointer(observation), "observation")
    let news: LentHostNews?
    do {
      news = try field.see(bytes, cursor: Int(cursor), anchor: Int(anchor))
    } catch {
      throw .outOfText
    }
    guard let news else { return false }
    snapshot.pointee = contextdiff_snapshot(news.fields(of: bytes))
    told.to = UnsafePointer(snapshot)
    told.window = news.evidence.window?.number ?? CONTEXTDIFF_WINDOW_NOT_TOLD
    told.key = news.evidence.key?.number ?? CONTEXTDIFF_KEY_NOT_TOLD
    told.merged = contextdiff_answer(news.evidence.merged)
    told.reset = contextdiff_answer(news.evidence.reset)
    observation.pointee = told
    return true
  }
}

extension contextdiff_snapshot {
  /// The same, with the text where it lies.
  fileprivate init(_ fields: Fields) {
    self.init()
    size = MemoryLayout<contextdiff_snapshot>.size
    before = contextdiff_text(fields.before)
    selected = contextdiff_text(fields.selected)
    after = contextdiff_text(fields.after)
    selection_shown = contextdiff_answer(fields.selectionShown)
    caret_told = contextdiff_answer(fields.caret.map { _ in true })
    caret = Int64(fields.caret ?? 0)
  }
}

extension contextdiff_text {
  fileprivate init(_ field: Field) {
    self.init()
    guard field.isShown else { return }
    data = field.bytes.raw.baseAddress?.assumingMemoryBound(to: CChar.self)
    length = field.bytes.count
  }
}

extension Failure {
  fileprivate static var outOfText: Failure {
    Failure(CONTEXTDIFF_OUT_OF_TEXT, "cursor: outside of the text")
  }
}
