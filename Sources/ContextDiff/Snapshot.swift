/// The text around the caret, as a host shows it to a keyboard (MODEL, part 1).
///
/// `nil` and `""` are different observations: `nil` says that the host shows nothing there.
/// Two snapshots are equal where their fields hold the same Unicode scalars; a composed and a
/// decomposed character differ.
public struct Snapshot: Sendable {
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
