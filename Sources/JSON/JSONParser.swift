/// Reads JSON texts (RFC 8259), each validated whole before anything of it is used.
///
/// One pass checks everything (structure, numbers, UTF-8, escapes, names that stand twice) and notes an entry for each
/// value; a ``JSONValue`` reads the entries and the same bytes. The cost is linear in the bytes. The parser keeps the
/// entries' memory for the next text, so that it allocates only for a text longer than all before.
///
/// Safe: it owns its memory, which `reserve` makes large enough for any text of a length. The caller must keep a text
/// valid for as long as its values are used.
@safe
public final class JSONParser {
  private let maximumDepth: Int
  /// Room for the entries, and behind them for the unescaped bytes of strings with escapes.
  private var memory: UnsafeMutableRawPointer
  /// The size of `memory`, in bytes.
  private var capacity: Int
  /// The text's first entry, at the beginning of `memory`.
  private var entries: UnsafeMutablePointer<JSONEntry>
  /// Where the unescaped bytes begin in `memory`.
  private var unescaped: UnsafeMutablePointer<UInt8>
  /// How many unescaped bytes the last text left there.
  private var unescapedCount = 0

  /// A parser for texts whose objects and arrays stand at most `maximumDepth` within each other.
  ///
  /// - Parameter maximumDepth: 0 to 512, for each level takes a part of the stack; 0 allows no object and no array.
  ///   Another depth ends the program.
  public init(maximumDepth: Int = 64) {
    precondition((0...512).contains(maximumDepth), "a depth is 0 to 512")
    self.maximumDepth = maximumDepth
    capacity = 2048
    unsafe memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
    unsafe entries = unsafe memory.bindMemory(to: JSONEntry.self, capacity: 0)
    unsafe unescaped = unsafe memory.bindMemory(to: UInt8.self, capacity: 0)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Parses the one JSON text in `bytes`.
  ///
  /// - Parameter bytes: UTF-8; white space may stand around the value, a byte order mark may not.
  /// - Returns: the text's value. It, and all values reached from it, are valid until the parser's next call, and only
  ///   while `bytes` is.
  /// - Throws: ``JSONError`` where `bytes` is not one JSON text (an empty one is not), or exceeds a limit.
  public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    guard bytes.count <= JSONEntry.maximumLength else {
      throw JSONError(reason: .tooLarge, offset: 0)
    }
    guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw JSONError(reason: .unexpectedEnd, offset: 0)
    }
    wipe()
    reserve(forTextOf: bytes.count)
    // Unsafe: the caller lends the text; `reserve` has made room for its entries and strings.
    var recorder = unsafe JSONRecorder(
      JSONBytes(start: start, count: bytes.count), entries: entries, unescaped: unescaped,
      maximumDepth: maximumDepth)
    defer { unescapedCount = unsafe recorder.unescaped - unescaped }
    try recorder.record()
    return unsafe JSONValue(text: start, entry: entries)
  }

  /// Has `body` read the JSON text in `bytes` by a cursor.
  ///
  /// The strings that the cursor returned are valid until the parser's next call, and only while `bytes` is.
  ///
  /// - Parameters:
  ///   - bytes: as for ``parse(_:)``.
  ///   - body: gets a cursor at the text's beginning; it may not use this parser.
  /// - Returns: what `body` returns; `false`, without calling it, where `bytes` has no address or exceeds
  ///   ``JSONError/Reason/tooLarge``'s limit.
  public func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout JSONCursor) -> Bool
  ) -> Bool {
    guard bytes.count <= JSONEntry.maximumLength,
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return false }
    wipe()
    reserve(forTextOf: bytes.count)
    // Unsafe: the caller lends the text; `reserve` has made room for its strings.
    var cursor = unsafe JSONCursor(
      JSONBytes(start: start, count: bytes.count), unescaped: unescaped)
    defer { unescapedCount = unsafe cursor.unescaped - unescaped }
    return body(&cursor)
  }

  /// Overwrites the unescaped strings of the last text with zeros; its values are not valid any more.
  ///
  /// Memory beyond 64 KiB is given back, so that one large text does not hold it for as long as the process lives.
  ///
  /// - Complexity: O(*n*) in the bytes of the text's strings that had escapes.
  public func forget() {
    wipe()
    guard capacity > 1 << 16 else { return }
    allocate(2048)
    unsafe entries = unsafe memory.bindMemory(to: JSONEntry.self, capacity: 0)
    unsafe unescaped = unsafe memory.bindMemory(to: UInt8.self, capacity: 0)
  }

  /// Overwrites the unescaped strings of the last text with zeros.
  private func wipe() {
    unsafe unescaped.update(repeating: 0, count: unescapedCount)
    unescapedCount = 0
  }

  /// Replaces `memory` by `byteCount` bytes, without copying.
  private func allocate(_ byteCount: Int) {
    unsafe memory.deallocate()
    capacity = byteCount
    unsafe memory = .allocate(byteCount: capacity, alignment: MemoryLayout<JSONEntry>.alignment)
  }

  /// Makes room for all entries and unescaped strings that a text of `count` bytes can have, so that no later step
  /// checks for room.
  ///
  /// Each value and name but the first takes at least two bytes, with its comma, colon or bracket; a container that an
  /// invalid text does not close takes one, and there are at most `maximumDepth` of these. The unescaped strings have
  /// no more bytes than the text.
  private func reserve(forTextOf count: Int) {
    let entryCount = count / 2 + maximumDepth + 4
    let needed = entryCount * MemoryLayout<JSONEntry>.stride + count
    if needed > capacity { allocate(max(needed, 2048)) }
    unsafe entries = unsafe memory.bindMemory(to: JSONEntry.self, capacity: entryCount)
    unsafe unescaped = unsafe (memory + entryCount * MemoryLayout<JSONEntry>.stride).bindMemory(
      to: UInt8.self, capacity: count)
  }
}
