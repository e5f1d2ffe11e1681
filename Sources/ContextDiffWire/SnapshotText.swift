/// The JSON of a snapshot as a client wrote it, not copied, so that it can be put into an event as it is.
///
/// Safe: whoever makes one must keep the JSON for as long as it is used.
@safe
package struct SnapshotText {
  /// The object, without white space and with at least one member.
  let json: UnsafeRawBufferPointer
  /// Whether the object has the members `before`, `selected` and `after`.
  let hasBefore: Bool
  let hasSelected: Bool
  let hasAfter: Bool

  /// The same object, which is also at `json`.
  @unsafe
  func moved(to json: UnsafeRawBufferPointer) -> SnapshotText {
    unsafe SnapshotText(
      json: json, hasBefore: hasBefore, hasSelected: hasSelected, hasAfter: hasAfter)
  }

  /// The object's bytes, if it has all three texts, as the snapshots of events have; otherwise `nil`.
  package var whole: UnsafeRawBufferPointer? {
    // Unsafe: the JSON is valid as long as this.
    unsafe hasBefore && hasSelected && hasAfter ? json : nil
  }

  /// The object for an event, with null for each text that the client left out: `start` of the client's bytes, then
  /// `end`.
  package var inEvent: (start: UnsafeRawBufferPointer, end: StaticString) {
    // Unsafe: the JSON is valid as long as this, here and below.
    if let whole = unsafe whole { return unsafe (whole, "") }
    let end: StaticString =
      switch (hasBefore, hasSelected, hasAfter) {
      case (true, false, true): #","selected":null}"#
      case (true, true, _): #","after":null}"#
      case (true, false, false): #","selected":null,"after":null}"#
      case (false, true, true): #","before":null}"#
      case (false, false, true): #","before":null,"selected":null}"#
      case (false, true, false): #","before":null,"after":null}"#
      case (false, false, false): #","before":null,"selected":null,"after":null}"#
      }
    // The client's bytes without their closing brace.
    return unsafe (UnsafeRawBufferPointer(rebasing: json.dropLast()), end)
  }
}
