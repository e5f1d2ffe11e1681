/// A value within a parsed text: a view, no copy.
///
/// Valid until its parser's next call, and only while the text's bytes are. Asking a value for a
/// type that it is not of answers `nil` or, for members and elements, none.
///
/// Safe: only the parser notes entries, and each says where in the text, and among the entries, its
/// value is. That it is not used too long, who called the parser answers for.
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

  @inlinable
  // Unsafe: the value's own entry.
  var note: JSONEntry { unsafe entry.pointee }

  /// What a string, or a number, stands for.
  @inlinable
  @inline(__always)
  // Unsafe: the value's own entry.
  var content: JSONText { unsafe JSONText(entry, in: text) }

  /// A null that belongs to no text and is always valid: what an absent value reads as.
  public static var null: JSONValue {
    // Unsafe: never freed.
    unsafe JSONValue(text: absent.text, entry: absent.entry)
  }

  /// Whether it is null (or absent).
  @inlinable
  public var isNull: Bool { note.kind == .null }

  /// Whether it is an object.
  @inlinable
  public var isObject: Bool { note.kind == .object }

  /// Whether it is an array.
  @inlinable
  public var isArray: Bool { note.kind == .array }

  /// Whether it is a string.
  @inlinable
  public var isString: Bool {
    note.kind == .string || note.kind == .escapedString
  }

  /// `nil` where it is neither true nor false.
  @inlinable
  public var bool: Bool? {
    switch note.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// `nil` where it is not an integer literal (neither fraction nor exponent) within Int64.
  public var integer: Int? {
    guard note.kind == .integer else { return nil }
    let digits = content
    let isNegative = digits[0] == UInt8(ascii: "-")
    var value = 0
    for index in (isNegative ? 1 : 0)..<digits.count {
      let product = value.multipliedReportingOverflow(by: 10)
      let part = Int(digits[index] &- UInt8(ascii: "0"))
      // Counted downwards where negative, because Int.min has no positive.
      let sum =
        isNegative
        ? product.partialValue.subtractingReportingOverflow(part)
        : product.partialValue.addingReportingOverflow(part)
      guard !product.overflow, !sum.overflow else { return nil }
      value = sum.partialValue
    }
    return value
  }

  /// `nil` where it is not a number, or one beyond what a Double can hold.
  ///
  /// The Double nearest to it.
  public var double: Double? {
    guard note.kind == .integer || note.kind == .number else { return nil }
    guard let value = Double(content.string), value.isFinite else {
      return nil
    }
    return value
  }

  /// `nil` where it is not a string.
  ///
  /// Builds it: one allocation where it is longer than 15 bytes.
  @inlinable
  public var string: String? {
    isString ? content.string : nil
  }

  /// The string's UTF-8, unescaped; `nil` where it is not a string.
  ///
  /// Valid as long as the value is.
  @inlinable
  @inline(__always)
  public var utf8: UnsafeBufferPointer<UInt8>? {
    // Unsafe: valid as said above.
    unsafe isString ? content.bytes : nil
  }

  /// Calls `body` for each member in the text's order; never for what is not an object.
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

  /// Calls `body` for each element in order; never for what is not an array.
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

  /// The member of that name; null where there is none, or it is not an object.
  ///
  /// Looks through the members in order.
  ///
  /// - Parameter name: the member's name.
  @inlinable
  public subscript(name: StaticString) -> JSONValue {
    var found = JSONValue.null
    forEachMember { member, value in
      if name ~= member { found = value }
    }
    return found
  }

  /// How many members or elements it has; 0 where it is neither object nor array.
  ///
  /// Counts them.
  public var count: Int {
    var count = 0
    forEachMember { _, _ in count += 1 }
    forEachElement { _ in count += 1 }
    return count
  }

  @safe
  private struct Absent: @unchecked Sendable {
    // Both are written once, before anyone can see them, and never freed.
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
  /// `nil` where it is not a string.
  package var stringText: JSONText? {
    isString ? content : nil
  }
}
