/// A value within a parsed text: a view, no copy.
///
/// Valid until its parser's next call, and only while the text's bytes are. Asking a value for a
/// type that it is not of answers `nil` or, for members and elements, none.
public struct JSONValue {
  @usableFromInline let text: UnsafePointer<UInt8>
  @usableFromInline let entry: UnsafePointer<JSONEntry>

  @inlinable
  init(text: UnsafePointer<UInt8>, entry: UnsafePointer<JSONEntry>) {
    self.text = text
    self.entry = entry
  }

  /// A null that belongs to no text and is always valid: what an absent value reads as.
  public static var null: JSONValue {
    JSONValue(text: absent.text, entry: absent.entry)
  }

  /// Whether it is null (or absent).
  @inlinable
  public var isNull: Bool { entry.pointee.kind == .null }

  /// Whether it is an object.
  @inlinable
  public var isObject: Bool { entry.pointee.kind == .object }

  /// Whether it is an array.
  @inlinable
  public var isArray: Bool { entry.pointee.kind == .array }

  /// Whether it is a string.
  @inlinable
  public var isString: Bool {
    entry.pointee.kind == .string || entry.pointee.kind == .escapedString
  }

  /// `nil` where it is neither true nor false.
  @inlinable
  public var bool: Bool? {
    switch entry.pointee.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// `nil` where it is not an integer literal (neither fraction nor exponent) within Int64.
  public var integer: Int? {
    let note = entry.pointee
    guard note.kind == .integer else { return nil }
    var digit = text + Int(note.offset)
    let end = digit + note.length
    let isNegative = digit.pointee == UInt8(ascii: "-")
    if isNegative { digit += 1 }
    var value = 0
    while digit < end {
      let product = value.multipliedReportingOverflow(by: 10)
      let part = Int(digit.pointee &- UInt8(ascii: "0"))
      // Counted downwards where negative, because Int.min has no positive.
      let sum =
        isNegative
        ? product.partialValue.subtractingReportingOverflow(part)
        : product.partialValue.addingReportingOverflow(part)
      guard !product.overflow, !sum.overflow else { return nil }
      value = sum.partialValue
      digit += 1
    }
    return value
  }

  /// `nil` where it is not a number, or one beyond what a Double can hold.
  ///
  /// The Double nearest to it.
  public var double: Double? {
    let note = entry.pointee
    guard note.kind == .integer || note.kind == .number else { return nil }
    guard let value = Double(JSONText(entry, in: text).string), value.isFinite else {
      return nil
    }
    return value
  }

  /// `nil` where it is not a string.
  ///
  /// Builds it: one allocation where it is longer than 15 bytes.
  @inlinable
  public var string: String? {
    isString ? JSONText(entry, in: text).string : nil
  }

  /// The string's UTF-8, unescaped; `nil` where it is not a string.
  ///
  /// Valid as long as the value is.
  @inlinable
  @inline(__always)
  public var utf8: UnsafeBufferPointer<UInt8>? {
    isString ? JSONText(entry, in: text).bytes : nil
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
    let end = entry + entry.pointee.length
    var member = entry + 1
    while member < end {
      let value = member + 1
      try body(
        JSONName(text: JSONText(member, in: text)), JSONValue(text: text, entry: value))
      member = value + value.pointee.stride
    }
  }

  /// Calls `body` for each element in order; never for what is not an array.
  ///
  /// - Parameter body: gets the element.
  /// - Throws: what `body` throws.
  @inlinable
  public func forEachElement<E: Error>(_ body: (JSONValue) throws(E) -> Void) throws(E) {
    guard isArray else { return }
    let end = entry + entry.pointee.length
    var element = entry + 1
    while element < end {
      try body(JSONValue(text: text, entry: element))
      element += element.pointee.stride
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

  private struct Absent: @unchecked Sendable {
    // Both are written once, before anyone can see them, and never freed.
    let text: UnsafePointer<UInt8>
    let entry: UnsafePointer<JSONEntry>

    init() {
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
      bytes.initialize(to: 0)
      text = UnsafePointer(bytes)
      let note = UnsafeMutablePointer<JSONEntry>.allocate(capacity: 1)
      note.initialize(to: JSONEntry(.null, offset: 0, length: 0))
      entry = UnsafePointer(note)
    }
  }

  private static let absent = Absent()
}

extension JSONValue {
  /// `nil` where it is not a string.
  package var stringText: JSONText? {
    isString ? JSONText(entry, in: text) : nil
  }
}
