/// Cuts bytes that arrive in chunks into lines.
///
/// Keeps at most `limit` bytes, and one more: the beginning of the line that is not complete yet. Blank lines (empty, or
/// with spaces and tabs alone) are counted and left out.
package struct LineSplitter: Sendable {
  /// A line that is not blank.
  package struct Line: Sendable, Equatable {
    /// Its number among all lines, blank ones too; the first is 1.
    package let number: Int
    /// Its bytes without the line feed, and without a carriage return before that; `.tooLong` where it is longer than
    /// the limit.
    package let bytes: Result<[UInt8], LineError>

    /// Makes a line of its parts.
    package init(number: Int, bytes: Result<[UInt8], LineError>) {
      (self.number, self.bytes) = (number, bytes)
    }
  }

  /// The most bytes that a line may have, its end (a line feed, or a carriage return and a line feed) not counted.
  package let limit: Int
  /// How many lines have been completed, blank ones among them.
  package private(set) var count = 0
  /// The bytes of the line that is not complete yet.
  private var unfinished: [UInt8] = []
  /// Whether that line is longer than the limit, so that the rest of it is not kept.
  private var isSkipping = false

  /// A splitter at the start of its input.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Calls `body` for each line that `chunk` completes, in order, but not for blank ones.
  ///
  /// Where `body` throws, the rest of `chunk` is lost.
  package mutating func split<Failure: Error>(
    _ chunk: UnsafeRawBufferPointer, _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    // Unsafe: the indices are within the chunk; bytes that are kept are copied.
    while let end = unsafe chunk[start...].firstIndex(of: 0x0A) {
      let line = unsafe take(chunk[start..<end])
      start = end + 1
      if let line { try body(line) }
    }
    unsafe keep(chunk[start...])
  }

  /// Completes the last line, at the end of the input; `nil` where the input ended with a line feed or with a blank
  /// line.
  package mutating func finish() -> Line? {
    guard isSkipping || !unfinished.isEmpty else { return nil }
    return take([])
  }

  /// Completes a line with its last bytes; returns `nil` for a blank one.
  private mutating func take(_ rest: some Collection<UInt8>) -> Line? {
    keep(rest)
    count += 1
    defer {
      unfinished = []
      isSkipping = false
    }
    if unfinished.last == 0x0D { unfinished.removeLast() }
    guard !isSkipping, unfinished.count <= limit else {
      return Line(number: count, bytes: .failure(.tooLong(limit: limit)))
    }
    guard unfinished.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
    return Line(number: count, bytes: .success(unfinished))
  }

  /// Adds bytes to the line that is not complete yet, or drops that line where it gets longer than the limit, and a
  /// carriage return.
  private mutating func keep(_ bytes: some Collection<UInt8>) {
    guard !isSkipping, !bytes.isEmpty else { return }
    guard unfinished.count + bytes.count <= limit + 1 else {
      unfinished = []
      isSkipping = true
      return
    }
    unfinished.append(contentsOf: bytes)
  }
}
