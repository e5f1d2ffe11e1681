/// The JSON of a snapshot as it came, where it lies.
///
/// Safe: that the JSON outlives it, who makes one of it answers for.
@safe
package struct SnapshotText {
  /// The object, without white space and with one member at least.
  let json: UnsafeRawBufferPointer
  /// Which of its texts it has.
  let hasBefore: Bool
  let hasSelected: Bool
  let hasAfter: Bool

  /// The object's bytes where it has all three texts, as an event's snapshot has them; else `nil`.
  package var whole: UnsafeRawBufferPointer? {
    // Unsafe: valid as long as this.
    unsafe hasBefore && hasSelected && hasAfter ? json : nil
  }

  /// The object as an event has it, with null for each text that it leaves out: what came, as far as it is so,
  /// and what then stands behind that.
  package var inEvent: (start: UnsafeRawBufferPointer, end: StaticString) {
    // Unsafe: valid as long as this, here and below.
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
    // Without its closing brace.
    return unsafe (UnsafeRawBufferPointer(rebasing: json.dropLast()), end)
  }
}
