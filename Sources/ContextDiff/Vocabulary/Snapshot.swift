/// The text around the caret, as a host shows it to a keyboard.
///
/// `nil` and `""` are different observations: `nil` says that the host shows nothing there. A side without text is
/// `nil`: through a `sentence` window an empty `after` says that another line follows. Where `before` is `""`, which no
/// such host shows, an empty `after` is taken for `nil`, and in a session so it is until `nil` is shown.
///
/// Equality compares texts by their Unicode scalars: a composed and a decomposed character differ.
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
  /// Where the caret, or the selection's left end, stands in the whole text, in scalars; `nil` where
  /// the host does not say it.
  ///
  /// Only the difference between two snapshots' positions counts. A position alone says nothing, and none is checked
  /// against the text's length; nor against 0 here, but contextdiffd and `LocalSessions` take 0 or more alone.
  public var caret: Int?
  /// Whether the host reports what is selected; `false` says that it never does, so that `selected`, empty or not, says
  /// nothing and is read as `nil`; `nil` where that is not known.
  public var selectionShown: Bool?

  /// A snapshot of the fields given; what is left out is not shown.
  public init(
    before: String? = nil, selected: String? = nil, after: String? = nil, hasText: Bool? = nil,
    caret: Int? = nil, selectionShown: Bool? = nil
  ) {
    self.before = before
    self.selected = selected
    self.after = after
    self.hasText = hasText
    self.caret = caret
    self.selectionShown = selectionShown
  }
}

extension Snapshot {
  /// Whether all fields are equal, texts by their scalars.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.hasText == right.hasText && left.caret == right.caret
      && left.selectionShown == right.selectionShown
      && left.lend { left in right.lend { left.showsSameTexts(as: $0) } }
  }

  /// Hashes all fields, texts by their scalars.
  public func hash(into hasher: inout Hasher) {
    for field in [before, selected, after] { hasher.combine(scalarsOf: field) }
    hasher.combine(hasText)
    hasher.combine(caret)
    hasher.combine(selectionShown)
  }
}
