/// Cuts bytes that arrive in chunks into lines, holding at most one unfinished line of a bounded
/// length.
package struct LineSplitter: Sendable {
  /// A line without its line feed (and the carriage return before it).
  package enum Line: Sendable, Equatable {
    case complete([UInt8])
    /// A line longer than the limit; its bytes are gone.
    case tooLong
  }

  /// The most bytes that a line may have.
  package let limit: Int
  private var unfinished: [UInt8] = []
  private var isSkipping = false

  /// A splitter at the start of its input.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Calls `body` for each line that `chunk` completes, in order.
  package mutating func split<Failure: Error>(
    _ chunk: UnsafeRawBufferPointer, _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    // Unsafe: at places that are looked for below its count; what is kept is copied.
    while let end = unsafe chunk[start...].firstIndex(of: 0x0A) {
      let line = unsafe take(chunk[start..<end])
      start = end + 1
      try body(line)
    }
    unsafe keep(chunk[start...])
  }

  /// The last line, where the input ended without a line feed after it.
  package mutating func finish() -> Line? {
    guard isSkipping || !unfinished.isEmpty else { return nil }
    return take([])
  }

  private mutating func take(_ rest: some Collection<UInt8>) -> Line {
    keep(rest)
    defer {
      unfinished = []
      isSkipping = false
    }
    guard !isSkipping else { return .tooLong }
    if unfinished.last == 0x0D { unfinished.removeLast() }
    return .complete(unfinished)
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
