package import JSON

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

  /// Writes the object, with null for each text that it leaves out.
  ///
  /// The comma before it is the caller's business.
  package func write(to writer: inout JSONWriter) {
    writer.needsComma = false
    // Unsafe: copied at once; without its closing brace it goes on.
    if let whole = unsafe whole { return unsafe writer.json(whole) }
    unsafe writer.json(UnsafeRawBufferPointer(rebasing: json.dropLast()))
    if !hasBefore { writer.fragment(#","before":null"#) }
    if !hasSelected { writer.fragment(#","selected":null"#) }
    if !hasAfter { writer.fragment(#","after":null"#) }
    writer.fragment("}")
  }
}
