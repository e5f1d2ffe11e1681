internal import CContextDiff
internal import ContextDiff

/// The object behind a `contextdiff_field`: the field, and the memory of the snapshot that the caller gets.
///
/// Safe: it owns the snapshot, which is initialised by `init` and freed by `deinit`.
@safe final class FieldObject {
  var field: HostField
  /// The snapshot that the last observation points to.
  private let snapshot: UnsafeMutablePointer<contextdiff_snapshot>
  /// The UTF-8 that the snapshot points to, where the caller's text was UTF-16; empty else.
  private var converted: [UInt8] = []

  init(_ frontEnd: contextdiff_front_end, _ toolkit: contextdiff_toolkit) throws(Failure) {
    field = HostField(try FrontEnd.told(frontEnd), toolkit: try Toolkit.told(toolkit))
    // Allocated last, for where `init` throws, `deinit` is not called.
    unsafe snapshot = .allocate(capacity: 1)
    unsafe snapshot.initialize(to: contextdiff_snapshot())
  }

  deinit { unsafe snapshot.deallocate() }

  /// Takes the text that the host shows, in UTF-8, and points `observation` to the new snapshot, whose texts lie in
  /// `text`.
  ///
  /// The caller must keep `text` for as long as it uses the observation.
  ///
  /// - Returns: whether the text is new; where it is not, `observation.to` is NULL.
  /// - Throws: `Failure` where an argument is not valid; `observation.to` is NULL then too.
  func see(
    _ text: contextdiff_text, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    let observation = unsafe try emptied(observation)
    let bytes = try readable { () throws(Failure) in try text.bytes("text") }
    // Unsafe: the caller keeps the text.
    return unsafe try see(bytes, cursor: cursor, anchor: anchor, into: observation)
  }

  /// Notes that the focus came to another field.
  func focusIn() {
    converted = []
    field.focusIn()
  }

  /// Notes that the host reset its input method.
  func reset() {
    converted = []
    field.reset()
  }

  /// Notes that the input method has committed a text to the field.
  func commit(_ text: contextdiff_text) throws(Failure) {
    guard let bytes = try text.bytes("text") else { throw .invalid("text: NULL") }
    field.commit(bytes)
  }

  /// Takes the text that the host shows, in UTF-8, and returns a copy of what is new; `nil` where nothing is.
  func news(
    _ text: contextdiff_text, cursor: Int64, anchor: Int64
  ) throws(Failure) -> HostNews? {
    converted = []
    let text = try readable { () throws(Failure) in try text.string("text") }
    do { return try field.surroundingText(text, cursor: Int(cursor), anchor: Int(anchor)) } catch {
      throw outOfText(error, cursor, anchor, text.withBytes { field.length(of: $0) })
    }
  }

  /// Does what `see` does for UTF-8, with a text in UTF-16 of `length` units, of which it keeps a converted copy.
  func see(
    _ text: UnsafePointer<UInt16>?, length: Int, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> Bool {
    let observation = unsafe try emptied(observation)
    converted = try readable { () throws(Failure) in
      // Unsafe: the caller's text has `length` units; it is copied at once.
      guard let text = unsafe text else { return nil }
      // Each unit becomes at least one byte of UTF-8.
      guard length >= 0, length <= textLimit else { throw .tooLarge }
      let units = unsafe UnsafeBufferPointer(start: text, count: length)
      guard let string = unsafe String(validating: units, as: UTF16.self) else {
        throw Failure(CONTEXTDIFF_INVALID_TEXT, "text: not UTF-16")
      }
      guard string.utf8.count <= textLimit else { throw .tooLarge }
      return Array(string.utf8)
    }
    var isNews = false
    defer { if !isNews { converted = [] } }
    // Unsafe: the array does not change until the next call, so that its elements stay where they are.
    isNews = unsafe try converted.withUnsafeBufferPointer { (bytes) throws(Failure) in
      unsafe try see(Bytes(bytes), cursor: cursor, anchor: anchor, into: observation)
    }
    return isNews
  }

  /// The host's text, as `text` returns it; where it is NULL or cannot be read, the field skips it, and this throws.
  private func readable<Text>(_ text: () throws(Failure) -> Text?) throws(Failure) -> Text {
    do throws(Failure) {
      if let text = try text() { return text }
      throw .invalid("text: NULL")
    } catch {
      field.skip()
      throw error
    }
  }

  /// Checks the caller's observation, and sets its `to` to NULL: the snapshot may point to a text that is freed by now,
  /// and the converted one is let go of here.
  private func emptied(
    _ observation: UnsafeMutablePointer<contextdiff_observation>?
  ) throws(Failure) -> UnsafeMutablePointer<contextdiff_observation> {
    // Unsafe: the caller's struct; reading a copy checks that it has all members.
    guard let observation = unsafe observation else { throw .invalid("observation: NULL") }
    _ = unsafe try contextdiff_observation(UnsafePointer(observation), "observation")
    unsafe observation.pointee.to = nil
    converted = []
    return unsafe observation
  }

  private func outOfText(
    _ error: HostField.OutOfText, _ cursor: Int64, _ anchor: Int64, _ length: Int
  ) -> Failure {
    let caret =
      switch error {
      case .cursor: "cursor: \(cursor)"
      case .anchor: "anchor: \(anchor)"
      }
    return Failure(
      CONTEXTDIFF_OUT_OF_TEXT,
      "\(caret), outside of the text, whose length is \(length) in the front end's unit")
  }

  /// Takes the text that the host shows, which stays valid for as long as the caller uses the observation.
  private func see(
    _ bytes: Bytes, cursor: Int64, anchor: Int64,
    into observation: UnsafeMutablePointer<contextdiff_observation>
  ) throws(Failure) -> Bool {
    let news: LentHostNews?
    do {
      news = try field.see(bytes, cursor: Int(cursor), anchor: Int(anchor))
    } catch {
      throw outOfText(error, cursor, anchor, field.length(of: bytes))
    }
    guard let news else { return false }
    // Unsafe: the caller's struct; the snapshot is valid until the field's next call.
    unsafe snapshot.pointee = contextdiff_snapshot(news.fields(of: bytes))
    unsafe observation.pointee.to = UnsafePointer(snapshot)
    unsafe observation.pointee.window =
      news.evidence.window?.number ?? CONTEXTDIFF_WINDOW_NOT_TOLD
    unsafe observation.pointee.key = news.evidence.key?.number ?? CONTEXTDIFF_KEY_NOT_TOLD
    unsafe observation.pointee.merged = contextdiff_answer(news.evidence.merged)
    unsafe observation.pointee.reset = contextdiff_answer(news.evidence.reset)
    unsafe observation.pointee.names_shortcuts = contextdiff_answer(news.evidence.key != nil)
    return true
  }
}

extension contextdiff_snapshot {
  /// The snapshot `fields` for C, without a copy of its texts.
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
  /// The text of `field` for C, without a copy; a NULL text where the field is not shown.
  fileprivate init(_ field: Field) {
    self.init()
    guard field.isShown else { return }
    // Unsafe: the caller keeps the text for as long as the struct is used.
    unsafe data = field.bytes.raw.baseAddress?.assumingMemoryBound(to: CChar.self)
    length = field.bytes.count
  }
}

extension Failure {
  fileprivate static var tooLarge: Failure {
    Failure(CONTEXTDIFF_TOO_LARGE, "text: more than \(textLimit) bytes of UTF-8")
  }
}
