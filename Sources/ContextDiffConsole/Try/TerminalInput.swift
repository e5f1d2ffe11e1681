/// Turns the bytes that a terminal sends into what the person did.
///
/// Text that arrives in one `read` is one act of typing, as an input method commits a text at once. Invalid UTF-8
/// becomes U+FFFD; keys that mean nothing here are ignored.
package struct TerminalInput: Sendable {
  /// What the person did.
  package enum Event: Sendable, Equatable {
    /// The person did this in the field.
    case act(EditableField.Act)
    /// The person wants the field to be seen through the next window.
    case nextWindow
    /// The person wants to leave.
    case end
  }

  /// The bytes of an escape sequence or a scalar that is not complete yet.
  private var pending: [UInt8] = []
  /// The bytes of a bracketed paste whose end has not come yet; `nil` outside of one.
  private var pasted: [UInt8]?

  /// An input of which nothing has been read.
  package init() {}

  /// The events that `bytes` complete, in order; an incomplete sequence is kept for the next call.
  package mutating func read(_ bytes: some Collection<UInt8>) -> [Event] {
    pending += bytes
    var events: [Event] = []
    var text: [UInt8] = []
    var place = 0
    while place < pending.count {
      let rest = pending[place...]
      if pasted != nil {
        guard takePasted(rest, at: &place, into: &events) else { break }
      } else if rest.first == 0x1B {
        guard let length = Self.sequenceLength(rest) else { break }
        flush(&text, into: &events)
        let sequence = Array(rest.prefix(length))
        place += length
        if sequence == Self.pasteStart { pasted = [] } else { events += Self.event(of: sequence) }
      } else if let byte = rest.first, byte < 0x20 || byte == 0x7F {
        place += 1
        if byte == 0x0D || byte == 0x0A {
          flush(&text, into: &events)
          events.append(.act(.type("\n")))
        } else if let event = Self.event(ofControl: byte) {
          flush(&text, into: &events)
          events.append(event)
        }
      } else {
        let length = Self.scalarLength(rest)
        guard length <= rest.count else { break }
        text += rest.prefix(length)
        place += length
      }
    }
    flush(&text, into: &events)
    pending.removeFirst(place)
    return events
  }

  /// Drops what waits for its end: to be called when no byte has followed for a while.
  ///
  /// It was the Escape key then, or Alt with `[` or `O`, which mean nothing here, or the beginning of a scalar. A
  /// bracketed paste goes on waiting.
  package mutating func settle() {
    if isWaiting { pending = [] }
  }

  /// Whether a sequence or a scalar is not complete, which the next bytes may or may not complete; a paste is not
  /// complete before its end comes, for which there is no hurry.
  package var isWaiting: Bool { pasted == nil && !pending.isEmpty }

  private static let pasteStart = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Takes the bytes of a bracketed paste, up to its end where that is in `rest`; returns whether it took any.
  private mutating func takePasted(
    _ rest: ArraySlice<UInt8>, at place: inout Int, into events: inout [Event]
  ) -> Bool {
    guard let end = rest.firstRange(of: Self.pasteEnd) else {
      // The last bytes may be the start of `pasteEnd`: they wait.
      let kept = rest.lastIndex(of: 0x1B).map { rest.endIndex - $0 } ?? 0
      let taken = rest.count - min(kept, Self.pasteEnd.count - 1)
      pasted? += rest.prefix(taken)
      place += taken
      return taken > 0
    }
    let bytes = (pasted ?? []) + rest[..<end.lowerBound]
    pasted = nil
    place = end.upperBound
    // Terminals send CR for a line break, and some leave CR LF as it was.
    let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
      $0 == "\r" || $0 == "\r\n"
    }
    let text = lines.joined(separator: "\n")
    if !text.isEmpty { events.append(.act(.pasteFromOutside(text))) }
    return true
  }

  /// Makes an event of the text that has been collected, if there is any.
  private func flush(_ text: inout [UInt8], into events: inout [Event]) {
    guard !text.isEmpty else { return }
    events.append(.act(.type(String(decoding: text, as: UTF8.self))))
    text = []
  }

  /// How many bytes the scalar has whose first byte this is; 1 for a byte with which none begins.
  private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
    switch bytes.first ?? 0 {
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF7: 4
    default: 1
    }
  }

  /// The length in bytes of the escape sequence at the start of `bytes` (ECMA-48, 5.4); `nil` where it is incomplete.
  ///
  /// A sequence of more than 32 bytes is cut there.
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(bytes.prefix(32))
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let end = bytes.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
        return bytes.count == 32 ? 32 : nil
      }
      return end + 1
    case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
    // The Escape key, or Alt, before another sequence.
    case 0x1B: return 1
    // Alt and a character.
    default:
      let length = 1 + scalarLength(bytes[1...])
      return length <= bytes.count ? length : nil
    }
  }

  /// What the key with that escape sequence does; nothing for an unknown sequence.
  private static func event(of sequence: [UInt8]) -> [Event] {
    let text = String(decoding: sequence.dropFirst(), as: UTF8.self)
    if text == "c" { return [.act(.copy)] }
    if text == "[3~" { return [.act(.delete)] }
    guard let motion = motion(of: text) else { return [] }
    // The second parameter holds the modifiers: 2 is Shift, 6 Shift and Control.
    let modifiers = text.split(separator: ";").dropFirst().first.flatMap {
      $0.first?.wholeNumberValue
    }
    let isShifted = modifiers == 2 || modifiers == 6
    return [.act(.move(motion, selecting: isShifted))]
  }

  /// Where the key with that sequence, given without its escape, moves the caret; `nil` for any other key.
  private static func motion(of text: String) -> EditableField.Motion? {
    let isControlled = text.contains(";5") || text.contains(";6")
    switch text.last {
    case "A": return isControlled ? .textStart : .up
    case "B": return isControlled ? .textEnd : .down
    case "C": return .right
    case "D": return .left
    case "H": return isControlled ? .textStart : .lineStart
    case "F": return isControlled ? .textEnd : .lineEnd
    case "~":
      switch text.dropFirst().first {
      case "1", "7": return .lineStart
      case "4", "8": return .lineEnd
      default: return nil
      }
    default: return nil
    }
  }

  /// What a control byte does; `nil` for one that means nothing here.
  private static func event(ofControl byte: UInt8) -> Event? {
    switch byte {
    // In order: Ctrl with A, C or D, E; H or Backspace; Ctrl with V, W, X, Y, Z.
    case 0x01: .act(.selectAll)
    case 0x03, 0x04: .end
    case 0x05: .act(.move(.lineEnd, selecting: false))
    case 0x08, 0x7F: .act(.backspace)
    case 0x16: .act(.paste)
    case 0x17: .nextWindow
    case 0x18: .act(.cut)
    case 0x19: .act(.redo)
    case 0x1A: .act(.undo)
    default: nil
    }
  }
}
