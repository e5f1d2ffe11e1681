/// Reads JSON texts (RFC 8259), each validated whole before anything of it is used.
///
/// One pass checks everything (structure, numbers, UTF-8, escapes, names that stand twice) and
/// notes where each value is; ``JSONValue`` then reads those notes over the same bytes. The notes'
/// memory is kept from one text to the next, so that parsing allocates nothing once it has seen a
/// text as long. Costs grow in proportion to the bytes.
///
/// Safe: it owns its memory, which `reserve` makes large enough for what is noted of a text. That a
/// text, and what is read of it, is not used too long, who hands it over answers for.
@safe
public final class JSONParser {
  private let maximumDepth: Int
  /// For the entries, and behind them for the bytes of strings that were escaped.
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var tape: UnsafeMutablePointer<JSONEntry>
  /// Where the next escaped string's bytes go.
  private var unescaped: UnsafeMutablePointer<UInt8>
  /// How many bytes of escaped strings the last text had.
  private var unescapedCount = 0

  /// A parser for texts whose objects and arrays stand at most `maximumDepth` within each other.
  ///
  /// - Parameter maximumDepth: at most 512, as each level takes a part of the stack.
  public init(maximumDepth: Int = 64) {
    precondition(maximumDepth <= 512, "the stack has no room for so many levels")
    self.maximumDepth = maximumDepth
    capacity = 2048
    unsafe memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
    unsafe tape = unsafe memory.bindMemory(to: JSONEntry.self, capacity: 0)
    unsafe unescaped = unsafe memory.bindMemory(to: UInt8.self, capacity: 0)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The value of the one JSON text in `bytes`.
  ///
  /// It, and all that is reached from it, is valid until the next call, and only while `bytes` is.
  ///
  /// - Parameter bytes: UTF-8, white space around the value allowed; a byte order mark is not.
  /// - Returns: the value.
  /// - Throws: what makes `bytes` anything else than one JSON text, or exceeds a limit.
  public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    guard bytes.count <= JSONEntry.maximumLength else {
      throw JSONError(reason: .tooLarge, offset: 0)
    }
    guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw JSONError(reason: .unexpectedEnd, offset: 0)
    }
    wipe()
    reserve(forTextOf: bytes.count)
    // Unsafe: who calls lends the text; there is room for its entries and strings.
    var recorder = unsafe JSONRecorder(
      JSONBytes(start: start, count: bytes.count), entries: tape, unescaped: unescaped,
      maximumDepth: maximumDepth)
    defer { unescapedCount = unsafe recorder.unescaped - unescaped }
    try recorder.record()
    return unsafe JSONValue(text: start, entry: tape)
  }

  /// Has `body` read the one JSON text in `bytes` by a cursor.
  ///
  /// What the cursor gave is valid until the next call, and only while `bytes` is.
  ///
  /// - Parameters:
  ///   - bytes: as for ``parse(_:)``.
  ///   - body: gets a cursor at the text's beginning; it may not use this parser.
  /// - Returns: what `body` does; `false` where no text can be so long.
  public func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout JSONCursor) -> Bool
  ) -> Bool {
    guard bytes.count <= JSONEntry.maximumLength,
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return false }
    wipe()
    reserve(forTextOf: bytes.count)
    // Unsafe: who calls lends the text; there is room for its strings.
    var cursor = unsafe JSONCursor(
      JSONBytes(start: start, count: bytes.count), unescaped: unescaped)
    defer { unescapedCount = unsafe cursor.unescaped - unescaped }
    return body(&cursor)
  }

  /// Overwrites what is left of the last text; its value is not valid any more.
  ///
  /// - Complexity: O(*n*) in the bytes of its strings that were escaped.
  public func forget() {
    wipe()
    // One large text must not hold on to its memory for as long as the process lives.
    guard capacity > 1 << 16 else { return }
    allocate(2048)
    unsafe tape = unsafe memory.bindMemory(to: JSONEntry.self, capacity: 0)
    unsafe unescaped = unsafe memory.bindMemory(to: UInt8.self, capacity: 0)
  }

  private func wipe() {
    unsafe unescaped.update(repeating: 0, count: unescapedCount)
    unescapedCount = 0
  }

  private func allocate(_ byteCount: Int) {
    unsafe memory.deallocate()
    capacity = byteCount
    unsafe memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
  }

  /// Makes room for all entries that a text of `count` bytes can have, so that none needs to be
  /// checked for: each value but the first takes at least two bytes with its comma, colon or
  /// bracket, and the unclosed containers of a broken text one.
  ///
  /// Unescaped, its strings have no more bytes than it.
  private func reserve(forTextOf count: Int) {
    let entries = count / 2 + maximumDepth + 4
    let needed = entries * MemoryLayout<JSONEntry>.stride + count
    if needed > capacity { allocate(max(needed, 2048)) }
    unsafe tape = unsafe memory.bindMemory(to: JSONEntry.self, capacity: entries)
    unsafe unescaped = unsafe (memory + entries * MemoryLayout<JSONEntry>.stride).bindMemory(
      to: UInt8.self, capacity: count)
  }
}
