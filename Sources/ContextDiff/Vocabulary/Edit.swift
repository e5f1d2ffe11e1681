/// An edit at the caret that an input method announces: text taken away on its two sides, text put
/// in, or the caret moved.
///
/// contextdiffd and `LocalSessions` take lengths of 2,147,483,648 units at most, `Session` any.
/// Equality compares `insert` by its Unicode scalars: a composed and a decomposed character differ.
public struct Edit: Sendable, Hashable {
  /// What the lengths of an edit count.
  public enum Unit: String, Sendable, CaseIterable {
    /// Extended grapheme clusters.
    case graphemes
    /// Unicode scalars (IBus, fcitx5).
    case scalars
    /// UTF-16 code units (iOS, Android, Windows).
    case utf16
    /// Bytes of UTF-8 (Wayland).
    case bytes
    /// Presses of Backspace or Delete; the host's own rule says whether one takes a mark or its whole cluster.
    case backspace
  }

  /// The text put in; empty for none.
  public var insert: String
  /// How many units are taken away left of the caret; `Session.expect` throws where it is negative.
  public var deleteBackward: Int
  /// How many units are taken away right of the caret; `Session.expect` throws where it is negative.
  public var deleteForward: Int
  /// How many units the caret moves once the text is put in, positive towards the end of the text; with `unit`
  /// `backspace` in what one press would take away.
  public var moveCaret: Int
  /// What the three lengths count; `insert` is text, and counted in nothing.
  public var unit: Unit

  /// An edit of the parts given.
  public init(
    insert: String = "", deleteBackward: Int = 0, deleteForward: Int = 0, moveCaret: Int = 0,
    unit: Unit = .graphemes
  ) {
    self.insert = insert
    self.deleteBackward = deleteBackward
    self.deleteForward = deleteForward
    self.moveCaret = moveCaret
    self.unit = unit
  }
}

extension Edit {
  /// Whether all fields are equal, `insert` by its scalars.
  public static func == (left: Edit, right: Edit) -> Bool {
    left.unit == right.unit && left.deleteBackward == right.deleteBackward
      && left.deleteForward == right.deleteForward && left.moveCaret == right.moveCaret
      && left.insert.withBytes { text in right.insert.withBytes { text == $0 } }
  }

  /// Hashes all fields, `insert` by its scalars.
  public func hash(into hasher: inout Hasher) {
    insert.withBytes { $0.hash(into: &hasher) }
    hasher.combine(deleteBackward)
    hasher.combine(deleteForward)
    hasher.combine(moveCaret)
    hasher.combine(unit)
  }

  /// Whether it is an edit: neither deletion is negative, and it does something.
  package var isValid: Bool {
    deleteBackward >= 0 && deleteForward >= 0
      && (changesText || moveCaret != 0)
  }

  /// What it deletes, alone.
  var deletion: Edit {
    Edit(deleteBackward: deleteBackward, deleteForward: deleteForward, unit: unit)
  }

  /// Whether it inserts text and deletes none.
  var isInsertion: Bool { !insert.isEmpty && deleteBackward == 0 && deleteForward == 0 }

  /// Whether it inserts or deletes text.
  var changesText: Bool { !insert.isEmpty || deleteBackward > 0 || deleteForward > 0 }
}
