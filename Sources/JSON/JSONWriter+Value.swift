extension JSONWriter {
  /// Writes a value of a parsed text, without white space; numbers stay byte for byte as they were.
  ///
  /// - Parameter value: must still be valid.
  public mutating func value(_ value: JSONValue) {
    switch value.note.kind {
    case .null: null()
    case .false: bool(false)
    case .true: bool(true)
    case .integer, .number:
      // Unsafe: copied at once.
      unsafe json(UnsafeRawBufferPointer(value.content.bytes))
    case .string, .escapedString:
      // Unsafe: copied at once.
      unsafe string(utf8: value.content.bytes)
    case .array:
      beginArray()
      value.forEachElement { self.value($0) }
      endArray()
    case .object:
      beginObject()
      value.forEachMember { name, value in
        // Unsafe: copied at once.
        unsafe string(utf8: name.text.bytes)
        reserve(1)
        append(UInt8(ascii: ":"))
        needsComma = false
        self.value(value)
      }
      endObject()
    }
  }
}
