internal import CContextDiff
internal import ContextDiff

/// What a `contextdiff_field` is: the field, and the snapshot last given to C.
///
/// Safe: it owns the snapshot, initialised before anybody has the object and freed with it.
@safe final class FieldObject {
  var field: HostField
  /// The snapshot that the last observation points to.
  private let snapshot: UnsafeMutablePointer<contextdiff_snapshot>
  /// The text that it points to, where that was UTF-16.
  private var converted: [UInt8] = []

  init(_ frontEnd: contextdiff_front_end, _ toolkit: contextdiff_toolkit) throws(Failure) {
    field = HostField(try FrontEnd.told(frontEnd), toolkit: try Toolkit.told(toolkit))
    // What is allocated before an error is thrown, nobody gives back.
    unsafe snapshot = .allocate(capacity: 1)
    unsafe snapshot.initialize(to: contextdiff_snapshot())
  }

  deinit { unsafe snapshot.deallocate() }

  /// Takes UTF-8 that the caller keeps as long as it uses the observation.
  ///
  /// - Returns: Whether there are news; the observation has no new snapshot where there are none.
  /// - Throws: `Failure` where the text or the caret's place cannot be, as without news.
  func see(
    _ text: contextdiff_text, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    let observation = unsafe try emptied(observation)
    guard let bytes = try text.bytes("text") else { throw .invalid("text: NULL") }
    // Unsafe: as `see` below has it.
    return unsafe try see(bytes, cursor: cursor, anchor: anchor, into: observation)
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
    let observation = unsafe try emptied(observation)
    // Unsafe: the caller's text is as long as it says; copied at once.
    guard let text = unsafe text else { throw .invalid("text: NULL") }
    let limit = Int(CONTEXTDIFF_TEXT_LIMIT)
    // A unit is a byte of UTF-8 at least.
    guard length >= 0, length <= limit else { throw .tooLarge }
    let units = unsafe UnsafeBufferPointer(start: text, count: length)
    guard let string = unsafe String(validating: units, as: UTF16.self) else {
      throw Failure(CONTEXTDIFF_INVALID_TEXT, "text: not UTF-16")
    }
    guard string.utf8.count <= limit else { throw .tooLarge }
    converted = Array(string.utf8)
    // Unsafe: the array stays as it is until the next call, and so does the place of its elements.
    return unsafe try converted.withUnsafeBufferPointer { (bytes) throws(Failure) in
      unsafe try see(Bytes(bytes), cursor: cursor, anchor: anchor, into: observation)
    }
  }

  /// The caller's observation, of which the new snapshot is gone: it may have been of text that is freed by now.
  private func emptied(
    _ observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> UnsafeMutablePointer<contextdiff_observation> {
    // Unsafe: the caller's struct, which has all members, as reading it checks.
    guard let observation = unsafe observation else { throw .invalid("observation: NULL") }
    _ = unsafe try contextdiff_observation(UnsafePointer(observation), "observation")
    unsafe observation.pointee.to = nil
    return unsafe observation
  }

  /// Takes UTF-8 that stays as long as the observation is used.
  private func see(
    _ bytes: Bytes, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>
  ) throws(Failure) -> Bool {
    let news: LentHostNews?
    do {
      news = try field.see(bytes, cursor: Int(cursor), anchor: Int(anchor))
    } catch {
      throw .outOfText
    }
    guard let news else { return false }
    // Unsafe: the caller's struct; its new snapshot stays until the field's next call.
    unsafe snapshot.pointee = contextdiff_snapshot(news.fields(of: bytes))
    unsafe observation.pointee.to = UnsafePointer(snapshot)
    unsafe observation.pointee.window =
      news.evidence.window?.number ?? CONTEXTDIFF_WINDOW_NOT_TOLD
    unsafe observation.pointee.key = news.evidence.key?.number ?? CONTEXTDIFF_KEY_NOT_TOLD
    unsafe observation.pointee.merged = contextdiff_answer(news.evidence.merged)
    unsafe observation.pointee.reset = contextdiff_answer(news.evidence.reset)
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
    // Unsafe: where the field lies; who lends the text answers for how long.
    unsafe data = field.bytes.raw.baseAddress?.assumingMemoryBound(to: CChar.self)
    length = field.bytes.count
  }
}

extension Failure {
  fileprivate static var tooLarge: Failure {
    Failure(CONTEXTDIFF_TOO_LARGE, "text: more than \(CONTEXTDIFF_TEXT_LIMIT) bytes of UTF-8")
  }

  fileprivate static var outOfText: Failure {
    Failure(CONTEXTDIFF_OUT_OF_TEXT, "cursor: outside of the text")
  }
}
