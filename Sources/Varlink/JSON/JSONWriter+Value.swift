extension JSONWriter {
  /// Writes a value of a parsed text again, without white space; strings and numbers byte for byte
  /// as they stand there.
  ///
  /// - Parameter value: still valid.
  public mutating func value(_ value: JSONValue) {
    switch value.entry.pointee.kind {
    case .null: null()
    case .false: bool(false)
    case .true: bool(true)
    case .integer, .number:
      let text = JSONText(value.entry.pointee, in: value.text)
      reserve(text.count + 1)
      comma()
      append(text.rawBytes)
      needsComma = true
    case .string, .escapedString:
      quoted(JSONText(value.entry.pointee, in: value.text))
      needsComma = true
    case .array:
      beginArray()
      value.forEachElement { self.value($0) }
      endArray()
    case .object:
      beginObject()
      value.forEachMember { name, value in
        quoted(name.text)
        append(UInt8(ascii: ":"))
        needsComma = false
        self.value(value)
      }
      endObject()
    }
  }

  /// Writes a string as it stands in a parsed text, and makes room for one byte more.
  private mutating func quoted(_ text: JSONText) {
    reserve(text.count + 4)
    comma()
    append(UInt8(ascii: "\""))
    append(text.rawBytes)
    append(UInt8(ascii: "\""))
  }

  /// Puts bytes for which there is room.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
      .copyMemory(from: bytes)
    count += bytes.count
  }
}
