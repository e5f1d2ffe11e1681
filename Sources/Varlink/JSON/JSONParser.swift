/// Reads JSON texts (RFC 8259), each validated whole before anything of it is used.
///
/// One pass checks everything (structure, numbers, UTF-8, escapes, names that stand twice) and
/// notes where each value is; ``JSONValue`` then reads those notes over the same bytes. The notes'
/// memory is kept from one text to the next, so that parsing allocates nothing once it has seen a
/// text as long. Costs grow in proportion to the bytes.
public struct JSONParser: ~Copyable {
  private let maximumDepth: Int
  /// For the entries, and behind them for the bytes of strings that were escaped.
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var tape: UnsafeMutablePointer<JSONEntry>
  /// Where the next escaped string's bytes go.
  private var unescaped: UnsafeMutablePointer<UInt8>

  /// A parser for texts whose objects and arrays stand at most `maximumDepth` within each other.
  public init(maximumDepth: Int = 64) {
    self.maximumDepth = maximumDepth
    capacity = 2048
    memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
    tape = memory.bindMemory(to: JSONEntry.self, capacity: 0)
    unescaped = memory.bindMemory(to: UInt8.self, capacity: 0)
  }

  deinit {
    memory.deallocate()
  }

  /// The value of the one JSON text in `bytes`.
  ///
  /// It, and all that is reached from it, is valid until the next call, and only while `bytes` is.
  ///
  /// - Parameter bytes: UTF-8, white space around the value allowed; a byte order mark is not.
  /// - Returns: the value.
  /// - Throws: what makes `bytes` anything else than one JSON text, or exceeds a limit.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    guard bytes.count <= JSONEntry.maximumLength else {
      throw JSONError(reason: .tooLarge, offset: 0)
    }
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw JSONError(reason: .unexpectedEnd, offset: 0)
    }
    reserve(forTextOf: bytes.count)
    try record(start, count: bytes.count)
    return JSONValue(text: start, entry: tape)
  }

  /// Makes room for all entries that a text of `count` bytes can have, so that none needs to be
  /// checked for: each value but the first takes at least two bytes with its comma, colon or
  /// bracket, and the unclosed containers of a broken text one.
  ///
  /// Unescaped, its strings have no more bytes than it.
  private mutating func reserve(forTextOf count: Int) {
    let entries = count / 2 + maximumDepth + 4
    let needed = entries * MemoryLayout<JSONEntry>.stride + count
    // One large text must not hold on to its memory for as long as the process lives.
    let kept = 1 << 19
    if needed > capacity || (capacity > kept && needed <= kept) {
      memory.deallocate()
      capacity = max(needed, 2048)
      memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
    }
    tape = memory.bindMemory(to: JSONEntry.self, capacity: entries)
    unescaped = (memory + entries * MemoryLayout<JSONEntry>.stride).bindMemory(
      to: UInt8.self, capacity: count)
  }

  private mutating func record(_ start: UnsafePointer<UInt8>, count: Int) throws(JSONError) {
    var scanner = JSONScanner(start, count: count)
    var end = 0
    // The container that is being read; while one is open, its entry's length is where the one
    // around it is.
    var container = -1
    var depth = 0

    scanner.skipWhiteSpace()
    values: while true {
      guard scanner.next < scanner.end else { throw scanner.failure(.unexpectedEnd) }
      let byte = scanner.next.pointee
      switch byte {
      case UInt8(ascii: "\""):
        try recordString(&scanner, at: end)
        end += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= maximumDepth else { throw scanner.failure(.tooDeep) }
        let isObject = byte == UInt8(ascii: "{")
        tape[end] = JSONEntry(
          isObject ? .object : .array, offset: scanner.offset, length: container + 1)
        container = end
        end += 1
        scanner.next += 1
        scanner.skipWhiteSpace()
        guard scanner.next < scanner.end else { throw scanner.failure(.unexpectedEnd) }
        if scanner.next.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { break }
        if isObject { try recordName(&scanner, at: &end) }
        continue values
      case UInt8(ascii: "t"):
        tape[end] = JSONEntry(.true, offset: scanner.offset, length: 4)
        try scanner.skip("true")
        end += 1
      case UInt8(ascii: "f"):
        tape[end] = JSONEntry(.false, offset: scanner.offset, length: 5)
        try scanner.skip("false")
        end += 1
      case UInt8(ascii: "n"):
        tape[end] = JSONEntry(.null, offset: scanner.offset, length: 4)
        try scanner.skip("null")
        end += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let offset = scanner.offset
        let isInteger = try scanner.skipNumber()
        tape[end] = JSONEntry(
          isInteger ? .integer : .number, offset: offset, length: scanner.offset - offset)
        end += 1
      default:
        throw scanner.failure(.unexpectedByte)
      }

      // After a value: on to the next one of its container, or out of it.
      while container >= 0 {
        scanner.skipWhiteSpace()
        guard scanner.next < scanner.end else { throw scanner.failure(.unexpectedEnd) }
        let isObject = tape[container].kind == .object
        let byte = scanner.next.pointee
        if byte == UInt8(ascii: ",") {
          // A container that has just begun comes here only to be closed.
          scanner.next += 1
          scanner.skipWhiteSpace()
          if isObject { try recordName(&scanner, at: &end) }
          continue values
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw scanner.failure(.unexpectedByte)
        }
        let outer = tape[container].length - 1
        tape[container] = JSONEntry(
          isObject ? .object : .array, offset: Int(tape[container].offset),
          length: end - container)
        if isObject, !hasUniqueNames(start, tape + container) {
          throw scanner.failure(.duplicateName)
        }
        scanner.next += 1
        container = outer
        depth -= 1
      }
      break
    }
    scanner.skipWhiteSpace()
    guard scanner.next == scanner.end else { throw scanner.failure(.trailingBytes) }
  }

  @inline(__always)
  private mutating func recordString(_ scanner: inout JSONScanner, at index: Int) throws(JSONError)
  {
    scanner.next += 1
    let offset = scanner.offset
    let isEscaped = try scanner.skipString()
    let length = scanner.offset - offset
    if isEscaped {
      recordEscaped(scanner.start + offset, count: length, at: index)
    } else {
      tape[index] = JSONEntry(.string, offset: offset, length: length)
    }
    scanner.next += 1
  }

  private mutating func recordEscaped(
    _ start: UnsafePointer<UInt8>, count: Int, at index: Int
  ) {
    let length = unescaped.unescape(UnsafeBufferPointer(start: start, count: count))
    tape[index] = JSONEntry(
      .escapedString, offset: UnsafeRawPointer(unescaped) - UnsafeRawPointer(tape + index),
      length: length)
    unescaped += length
  }

  /// Reads a member's name, the colon and the white space around it.
  @inline(__always)
  private mutating func recordName(_ scanner: inout JSONScanner, at end: inout Int)
    throws(JSONError)
  {
    guard scanner.next < scanner.end, scanner.next.pointee == UInt8(ascii: "\"") else {
      throw scanner.failure(.unexpectedByte)
    }
    try recordString(&scanner, at: end)
    end += 1
    scanner.skipWhiteSpace()
    guard scanner.next < scanner.end, scanner.next.pointee == UInt8(ascii: ":") else {
      throw scanner.failure(.unexpectedByte)
    }
    scanner.next += 1
    scanner.skipWhiteSpace()
  }

  /// Whether no two members of the object at `object` have the same name.
  ///
  /// A sieve of 64 bits clears the usual object in one pass; what it does not clear is compared
  /// name by name, or hashed (with the process's random seed) where there are many.
  @inline(__always)
  private func hasUniqueNames(
    _ text: UnsafePointer<UInt8>, _ object: UnsafePointer<JSONEntry>
  ) -> Bool {
    let end = object + object.pointee.length
    var entry = object + 1
    var sieve: UInt64 = 0
    while entry < end {
      let name = entry.pointee
      let length = name.length
      guard name.kind == .string, length > 0 else {
        return hasUniqueNamesThroughout(text, object)
      }
      let first = text + Int(name.offset)
      let sum =
        UInt64(first.pointee) &* 7 &+ UInt64(first[length &- 1]) &* 3
        &+ UInt64(
          truncatingIfNeeded: length)
      let bit = 1 as UInt64 &<< (sum & 63)
      guard sieve & bit == 0 else { return hasUniqueNamesThroughout(text, object) }
      sieve |= bit
      entry += 1 + entry[1].stride
    }
    return true
  }

  private func hasUniqueNamesThroughout(
    _ text: UnsafePointer<UInt8>, _ object: UnsafePointer<JSONEntry>
  ) -> Bool {
    let end = object + object.pointee.length
    var names: Set<JSONText> = []
    var entry = object + 1
    var count = 0
    while entry < end {
      let name = JSONText(entry, in: text)
      if count < 16 {
        var other = object + 1
        while other < entry {
          guard JSONText(other, in: text) != name else { return false }
          other += 1 + other[1].stride
        }
      } else {
        if count == 16 {
          var other = object + 1
          while other < entry {
            names.insert(JSONText(other, in: text))
            other += 1 + other[1].stride
          }
        }
        guard names.insert(name).inserted else { return false }
      }
      count += 1
      entry += 1 + entry[1].stride
    }
    return true
  }
}
