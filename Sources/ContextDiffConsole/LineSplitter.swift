/// Cuts bytes that arrive in chunks into lines, holding at most one unfinished line of a bounded
/// length.
///
/// Blank lines count, and are passed over.
package struct LineSplitter: Sendable {
  /// A line that is not blank.
  package struct Line: Sendable, Equatable {
    /// Its number among all lines; the first is 1.
    package let number: Int
    /// Its bytes without its line feed (and the carriage return before it); the error where it is longer than the
    /// limit.
    package let bytes: Result<[UInt8], LineError>

    /// The line of that number.
    package init(number: Int, bytes: Result<[UInt8], LineError>) {
      (self.number, self.bytes) = (number, bytes)
    }
  }

  /// The most bytes that a line may have.
  package let limit: Int
  /// How many lines there have been, blank ones among them.
  package private(set) var count = 0
  private var unfinished: [UInt8] = []
  private var isSkipping = false

  /// A splitter at the start of its input.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Calls `body` for each line, but blank ones, that `chunk` completes, in order.
  package mutating func split<Failure: Error>(
    _ chunk: UnsafeRawBufferPointer, _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    // Unsafe: at places that are looked for below its count; what is kept is copied.
    while let end = unsafe chunk[start...].firstIndex(of: 0x0A) {
      let line = unsafe take(chunk[start..<end])
      start = end + 1
      if let line { try body(line) }
    }
    unsafe keep(chunk[start...])
  }

  /// The last line, where the input ended without a line feed after it and it is not blank.
  package mutating func finish() -> Line? {
    guard isSkipping || !unfinished.isEmpty else { return nil }
    return take([])
  }

  private mutating func take(_ rest: some Collection<UInt8>) -> Line? {
    keep(rest)
    count += 1
    defer {
      unfinished = []
      isSkipping = false
    }
    guard !isSkipping else {
      return Line(number: count, bytes: .failure(.tooLong(limit: limit)))
    }
    if unfinished.last == 0x0D { unfinished.removeLast() }
    guard unfinished.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
    return Line(number: count, bytes: .success(unfinished))
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
    guard !isSkipping, !bytes.isEmpty else { return }
    guard unfinished.count + bytes.count <= limit else {
      unfinished = []
      isSkipping = true
      return
    }
    unfinished.append(contentsOf: bytes)
  }
}
