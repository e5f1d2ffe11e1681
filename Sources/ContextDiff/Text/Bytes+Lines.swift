// Newlines and lines.

extension Bytes {
  /// Whether one of the 64 bytes from `offset` on is a newline.
  @inline(__always) private func holdsLineBreak(inBlockAt offset: Int) -> Bool {
    let newlines = SIMD16<UInt8>(repeating: .newline)
    let block = load(offset, as: Block.self)
    let all =
      (((block.0 .== newlines) .| (block.1 .== newlines))
      .| ((block.2 .== newlines) .| (block.3 .== newlines))).words
    return all[0] | all[1] != 0
  }

  /// The highest bit of each of the eight bytes from `offset` on that is a newline.
  @inline(__always) private func newlines(at offset: Int) -> UInt64 {
    Bytes.marks(of: .newline, in: UInt64(littleEndian: word(offset)))
  }

  /// The highest bit of each of eight bytes that is `byte`.
  @inline(__always) static func marks(of byte: UInt8, in bytes: UInt64) -> UInt64 {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let others = bytes ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    return ~((others & low) &+ low | others | low)
  }

  /// Whether it holds a newline.
  var holdsLineBreak: Bool { lineEnd < count }

  /// The end of the first line: its newline's offset, or `count`.
  var lineEnd: Int {
    var end = 0
    while end <= count &- 64, !holdsLineBreak(inBlockAt: end) { end &+= 64 }
    while end <= count &- 8 {
      let found = newlines(at: end)
      if found != 0 { return end &+ found.trailingZeroBitCount / 8 }
      end &+= 8
    }
    if count >= 8 {
      // The last word overlaps what was searched.
      let found = newlines(at: count &- 8)
      return found == 0 ? count : count &- 8 &+ found.trailingZeroBitCount / 8
    }
    while end < count, self[end] != .newline { end &+= 1 }
    return end
  }

  /// The start of the last line: behind the last newline, or 0.
  var lastLineStart: Int {
    var start = count
    while start >= 64, !holdsLineBreak(inBlockAt: start &- 64) { start &-= 64 }
    while start >= 8 {
      let found = newlines(at: start &- 8)
      if found != 0 { return start &- found.leadingZeroBitCount / 8 }
      start &-= 8
    }
    while start > 0, self[start &- 1] != .newline { start &-= 1 }
    return start
  }

  /// The text before the first newline, or all of it.
  var firstLine: Bytes { prefix(lineEnd) }

  /// The text behind the last newline, or all of it.
  var lastLine: Bytes { dropFirst(lastLineStart) }
}

extension Fields {
  /// The line above the caret's, as far as it is shown; `nil` where no newline is.
  var lineAbove: Bytes? {
    let start = before.bytes.lastLineStart
    return start == 0 ? nil : before.bytes.prefix(start - 1).lastLine
  }

  /// The line below the caret's, likewise.
  var lineBelow: Bytes? {
    let end = after.bytes.lineEnd
    return end == after.bytes.count ? nil : after.bytes.dropFirst(end + 1).firstLine
  }
}

extension Bytes {
  /// A newline and `text`, where `text` is nothing but up to 64 spaces or 16 tabs: what a code editor inserts for
  /// Return.
  static func indentedLine(showing text: Bytes) -> Bytes? {
    let line = text.first == .space ? spaces : tabs
    guard text.count < line.count else { return nil }
    let indented = line.prefix(text.count + 1)
    return indented.dropFirst(1) == text ? indented : nil
  }

  private static var spaces: Bytes {
    Bytes("\n                                                                ")
  }

  private static var tabs: Bytes { Bytes("\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t") }
}
