/// The texts that were selected last: a longer text put in at once was mostly selected before, and copied.
struct Clips: Sendable {
  private var room = TextRoom(count: 0)
  /// How many bytes of `room` are in use.
  private var count = 0

  /// How many bytes are kept at most in all, and of one text.
  private static let limit = 1_024
  private static let textLimit = 256

  init() {}

  /// Restores what `texts` returned; fails where `bytes` are no such texts.
  init?(_ bytes: [UInt8]) {
    guard bytes.isEmpty || bytes.last == Clips.end, bytes.count <= Clips.limit,
      bytes.split(separator: Clips.end).allSatisfy({ Array($0).isWellFormed })
    else { return nil }
    count = bytes.count
    room = TextRoom(count: count)
    bytes.withBytes { room.write($0, at: 0) }
  }

  /// Keeps `text`; with `insteadOfLast`, where the selection only changed, in the last one's place.
  mutating func keep(_ text: Bytes, insteadOfLast: Bool) {
    if insteadOfLast {
      var others = texts
      _ = others.popClip()
      count = others.count
    }
    // A text too long is kept as an empty one, whose place the next may still take.
    let text = text.count > Clips.textLimit ? Bytes.empty : text
    let end = count + text.count + 1
    if end > room.count {
      var roomier = TextRoom(count: end + 64)
      roomier.write(texts, at: 0)
      room = roomier
    }
    room.write(text, at: count)
    room.write(Clips.end, at: end - 1)
    count = end
    while count > Clips.limit { removeFirst() }
  }

  /// How many bytes of memory the texts take.
  var heldBytes: Int { room.count }

  /// The texts, the latest last, each followed by the byte 0xFF, which UTF-8 never has, so that only each by itself is
  /// text; valid until another is kept.
  var texts: Bytes {
    // Unsafe: as said above.
    unsafe room.bytes.prefix(count)
  }

  private mutating func removeFirst() {
    var length = 1
    while texts[length - 1] != Clips.end { length += 1 }
    room.move(length..<count, to: 0)
    count -= length
  }

  fileprivate static let end: UInt8 = 0xFF
}

extension Bytes {
  /// Removes and returns the latest of `Clips.texts`; `nil` where there is none.
  mutating func popClip() -> Bytes? {
    guard last == Clips.end else { return nil }
    let texts = dropLast(1)
    var start = texts.count
    while start > 0, texts[start - 1] != Clips.end { start -= 1 }
    self = prefix(start)
    return texts.dropFirst(start)
  }
}
