/// The text around the caret, as a host shows it to a keyboard (MODEL, part 1).
///
/// `nil` and `""` are different observations: `nil` says that the host shows nothing there.
/// Two snapshots are equal where their fields hold the same Unicode scalars; a composed and a
/// decomposed character differ.
public struct Snapshot: Sendable, Hashable {
  /// The text left of the caret, or of the selection's left end.
  public var before: String?
  /// The selected text, line breaks included.
  public var selected: String?
  /// The text right of the caret, or of the selection's right end.
  public var after: String?
  /// Whether the host says that its field holds any text (`UIKeyInput.hasText`); `nil` where it
  /// says nothing.
  public var hasText: Bool?

  /// A snapshot of the fields given; what is left out is not shown.
  public init(
    before: String? = nil, selected: String? = nil, after: String? = nil, hasText: Bool? = nil
  ) {
    self.before = before
    self.selected = selected
    self.after = after
    self.hasText = hasText
  }
}

extension Snapshot {
  /// Whether both hold the same scalars in each field, and say the same of `hasText`.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.hasText == right.hasText && left.hasSameText(as: right)
  }

  /// Hashes the scalars of each field.
  public func hash(into hasher: inout Hasher) {
    for field in [before, selected, after] {
      hasher.combine(field == nil)
      field.lend { hasher.combine(bytes: $0.bytes.raw) }
      hasher.combine(UInt8.max)
    }
    hasher.combine(hasText)
  }

  /// Whether the three fields hold the same scalars, whatever is said of `hasText`.
  func hasSameText(as other: Snapshot) -> Bool {
    lend { left in other.lend { right in left == right } }
  }
}
