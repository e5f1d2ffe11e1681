/// The texts selected last: what a person puts in at once was mostly copied, and so selected before.
struct Clips: Sendable {
  /// The texts, the latest last, each with a byte behind it that no text holds.
  private var bytes: [UInt8] = []

  /// How many bytes are kept in all, and of one text.
  private static let limit = 1_024
  private static let textLimit = 256

  init() {}

  /// The texts as they were lent; `nil` where the bytes are no such texts.
  init?(_ bytes: [UInt8]) {
    guard bytes.isEmpty || bytes.last == Clips.end, bytes.count <= Clips.limit,
      bytes.split(separator: Clips.end).allSatisfy({ String(validating: $0, as: UTF8.self) != nil })
    else { return nil }
    self.bytes = bytes
  }

  /// Keeps `text`; in place of the last one where the selection only changed.
  mutating func keep(_ text: Bytes, insteadOfLast: Bool) {
    if insteadOfLast, !bytes.isEmpty {
      let end = bytes.dropLast().lastIndex(of: Clips.end).map { $0 + 1 } ?? 0
      bytes.removeSubrange(end...)
    }
    if text.count > Clips.textLimit { return }
    bytes.append(contentsOf: text.raw)
    bytes.append(Clips.end)
    while bytes.count > Clips.limit, let end = bytes.firstIndex(of: Clips.end) {
      bytes.removeSubrange(...end)
    }
  }

  /// Lends all of them to `body`.
  func lend<Result: ~Copyable>(to body: (Bytes) -> Result) -> Result {
    bytes.span.withUnsafeBufferPointer { body(Bytes($0)) }
  }

  fileprivate static let end: UInt8 = 0xFF
}

extension Bytes {
  /// Takes the latest off texts that were lent by `Clips`; `nil` where there is none.
  mutating func popClip() -> Bytes? {
    guard last == Clips.end else { return nil }
    let texts = dropLast(1)
    var start = texts.count
    while start > 0, texts[start - 1] != Clips.end { start -= 1 }
    self = prefix(start)
    return texts.dropFirst(start)
  }
}
