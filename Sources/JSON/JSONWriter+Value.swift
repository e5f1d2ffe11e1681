extension JSONWriter {
  /// Writes a value of a parsed text again, without white space; numbers byte for byte as they
  /// stand there.
  ///
  /// - Parameter value: still valid.
  public mutating func value(_ value: JSONValue) {
    switch value.entry.pointee.kind {
    case .null: null()
    case .false: bool(false)
    case .true: bool(true)
    case .integer, .number:
      let text = JSONText(value.entry, in: value.text)
      reserve(text.count + 1)
      comma()
      append(UnsafeRawBufferPointer(text.bytes))
      needsComma = true
    case .string, .escapedString:
      string(utf8: JSONText(value.entry, in: value.text).bytes)
    case .array:
      beginArray()
      value.forEachElement { self.value($0) }
      endArray()
    case .object:
      beginObject()
      value.forEachMember { name, value in
        string(utf8: name.text.bytes)
        reserve(1)
        append(UInt8(ascii: ":"))
        needsComma = false
        self.value(value)
      }
      endObject()
    }
  }

  /// Puts bytes for which there is room.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
      .copyMemory(from: bytes)
    count += bytes.count
  }
}
