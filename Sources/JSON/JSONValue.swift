/// A value within a parsed text: a view of the text's bytes, no copy.
///
/// Valid until its parser's next call, and only while the text's bytes are. A value asked for a type that it is not of
/// answers `nil`; asked for members or elements, it has none.
///
/// Safe: only the parser writes entries, and each names a place within the text. Whoever called the parser must not use
/// a value longer than it is valid.
@safe
public struct JSONValue {
  @usableFromInline let text: UnsafePointer<UInt8>
  @usableFromInline let entry: UnsafePointer<JSONEntry>

  /// The value of `entry`, which must be one of `text`'s for as long as this is used.
  @unsafe
  @inlinable
  init(text: UnsafePointer<UInt8>, entry: UnsafePointer<JSONEntry>) {
    unsafe self.text = text
    unsafe self.entry = entry
  }

  /// What the parser has noted of the value.
  @inlinable
  // Unsafe: the value's own entry.
  var note: JSONEntry { unsafe entry.pointee }

  /// The unescaped bytes of a string, or the digits of a number.
  @inlinable
  @inline(__always)
  // Unsafe: the value's own entry.
  var content: JSONText { unsafe JSONText(entry, in: text) }

  /// A null that belongs to no text and is always valid; it stands for a value that is absent.
  public static var null: JSONValue {
    // Unsafe: never freed.
    unsafe JSONValue(text: absent.text, entry: absent.entry)
  }

  /// Whether the value is `null`, or absent.
  @inlinable
  public var isNull: Bool { note.kind == .null }

  /// Whether the value is an object.
  @inlinable
  public var isObject: Bool { note.kind == .object }

  /// Whether the value is an array.
  @inlinable
  public var isArray: Bool { note.kind == .array }

  /// Whether the value is a string.
  @inlinable
  public var isString: Bool {
    note.kind == .string || note.kind == .escapedString
  }

  /// The Boolean; `nil` where the value is neither `true` nor `false`.
  @inlinable
  public var bool: Bool? {
    switch note.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The integer; `nil` where the value is not a number, has a fraction or an exponent, or does not fit into 64 bits.
  public var integer: Int? {
    guard note.kind == .integer else { return nil }
    let digits = content
    let isNegative = digits[0] == UInt8(ascii: "-")
    var value = 0
    for index in (isNegative ? 1 : 0)..<digits.count {
      let product = value.multipliedReportingOverflow(by: 10)
      let part = Int(digits[index] &- UInt8(ascii: "0"))
      // A negative number is counted downwards, for `-Int.min` is no `Int`.
      let sum =
        isNegative
        ? product.partialValue.subtractingReportingOverflow(part)
        : product.partialValue.addingReportingOverflow(part)
      guard !product.overflow, !sum.overflow else { return nil }
      value = sum.partialValue
    }
    return value
  }

  /// The `Double` nearest to the number; `nil` where the value is not a number, or beyond what a `Double` can hold.
  public var double: Double? {
    guard note.kind == .integer || note.kind == .number else { return nil }
    guard let value = Double(content.string), value.isFinite else {
      return nil
    }
    return value
  }

  /// A copy of the string; `nil` where the value is not a string.
  ///
  /// Costs an allocation where the string is longer than 15 bytes.
  @inlinable
  public var string: String? {
    isString ? content.string : nil
  }

  /// The string's UTF-8, unescaped, valid as long as the value is; `nil` where the value is not a string.
  @inlinable
  @inline(__always)
  public var utf8: UnsafeBufferPointer<UInt8>? {
    // Unsafe: valid as said above.
    unsafe isString ? content.bytes : nil
  }

  /// Calls `body` for each member in the text's order; never where the value is not an object.
  ///
  /// - Parameter body: gets the name and the value.
  /// - Throws: what `body` throws.
  @inlinable
  public func forEachMember<E: Error>(
    _ body: (JSONName, JSONValue) throws(E) -> Void
  ) throws(E) {
    guard isObject else { return }
    // Unsafe: behind the object's entry are those of its members, as many as it says.
    let end = unsafe entry + note.length
    var member = unsafe entry + 1
    while unsafe member < end {
      let value = unsafe member + 1
      try body(
        JSONName(text: unsafe JSONText(member, in: text)),
        unsafe JSONValue(text: text, entry: value))
      unsafe member = value + value.pointee.stride
    }
  }

  /// Calls `body` for each element in order; never where the value is not an array.
  ///
  /// - Parameter body: gets the element.
  /// - Throws: what `body` throws.
  @inlinable
  public func forEachElement<E: Error>(_ body: (JSONValue) throws(E) -> Void) throws(E) {
    guard isArray else { return }
    // Unsafe: behind the array's entry are those of its elements, as many as it says.
    let end = unsafe entry + note.length
    var element = unsafe entry + 1
    while unsafe element < end {
      try body(unsafe JSONValue(text: text, entry: element))
      unsafe element += element.pointee.stride
    }
  }

  /// The value of the member called `name`; ``null`` where there is none, or the value is not an object.
  ///
  /// - Parameter name: the member's name.
  /// - Complexity: O(*n*) in the members.
  @inlinable
  public subscript(name: StaticString) -> JSONValue {
    var found = JSONValue.null
    forEachMember { member, value in
      if name ~= member { found = value }
    }
    return found
  }

  /// How many members or elements the value has; 0 where it is neither an object nor an array.
  ///
  /// - Complexity: O(*n*) in them.
  public var count: Int {
    var count = 0
    forEachMember { _, _ in count += 1 }
    forEachElement { _ in count += 1 }
    return count
  }

  /// The text and the entry of `null`.
  ///
  /// `@unchecked`: both are written once, before another thread can see them, and never freed.
  @safe
  private struct Absent: @unchecked Sendable {
    let text: UnsafePointer<UInt8>
    let entry: UnsafePointer<JSONEntry>

    init() {
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
      unsafe bytes.initialize(to: 0)
      unsafe text = UnsafePointer(bytes)
      let note = UnsafeMutablePointer<JSONEntry>.allocate(capacity: 1)
      unsafe note.initialize(to: JSONEntry(.null, offset: 0, length: 0))
      unsafe entry = UnsafePointer(note)
    }
  }

  private static let absent = Absent()
}

extension JSONValue {
  /// The string's unescaped bytes, valid as long as the value is; `nil` where the value is not a string.
  package var stringText: JSONText? {
    isString ? content : nil
  }
}
