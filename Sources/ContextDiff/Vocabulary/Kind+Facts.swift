/// What is true of every transition of a kind: one row for each kind.
///
/// `Key.bits(for:)` says which keys do it, `Verdict.leavesOpen` whether the next edit may be coalesced with it.
extension Kind {
  struct Facts {
    /// The kind's index in `allCases`.
    var slot: Int
    /// What it does to the document's text.
    var text: TextEffect
    /// What it does to text being composed.
    var composition: CompositionEffect
  }

  /// What a kind does to the document's text.
  enum TextEffect {
    case none, comes, goes, isExchanged
    /// None, but the caret may be in text that was never seen.
    case isElsewhere
  }

  /// What a kind does to text being composed.
  enum CompositionEffect {
    case goesOn, ends
    /// It goes on if the caret and the edit stay within it, else it ends.
    case dependsOnPlace
  }

  @inline(__always) var facts: Facts {
    switch self {
    case .unchanged: Facts(slot: 0, text: .none, composition: .goesOn)
    case .cursorMove: Facts(slot: 1, text: .none, composition: .dependsOnPlace)
    case .selection: Facts(slot: 2, text: .none, composition: .dependsOnPlace)
    case .deselection: Facts(slot: 3, text: .none, composition: .dependsOnPlace)
    case .lineSelection: Facts(slot: 4, text: .none, composition: .dependsOnPlace)
    case .lineDeselection: Facts(slot: 5, text: .none, composition: .dependsOnPlace)
    case .cut: Facts(slot: 6, text: .goes, composition: .dependsOnPlace)
    case .paste: Facts(slot: 7, text: .comes, composition: .ends)
    case .outOfRangeTap: Facts(slot: 8, text: .isElsewhere, composition: .ends)
    case .insertion: Facts(slot: 9, text: .comes, composition: .dependsOnPlace)
    case .deletion: Facts(slot: 10, text: .goes, composition: .dependsOnPlace)
    case .replacement: Facts(slot: 11, text: .isExchanged, composition: .dependsOnPlace)
    case .undo: Facts(slot: 12, text: .isExchanged, composition: .ends)
    case .redo: Facts(slot: 13, text: .isExchanged, composition: .ends)
    case .submission: Facts(slot: 14, text: .goes, composition: .ends)
    case .windowShift: Facts(slot: 15, text: .none, composition: .goesOn)
    case .expected: Facts(slot: 16, text: .isExchanged, composition: .goesOn)
    }
  }

  /// Whether it is an edit without the pasteboard or the history: text typed, erased or exchanged.
  var isPlainEdit: Bool { self == .insertion || self == .deletion || self == .replacement }

  /// Whether it is an undo or a redo.
  var retraces: Bool { self == .undo || self == .redo }

  /// Whether the document's text is another afterwards.
  var changesText: Bool {
    switch facts.text {
    case .comes, .goes, .isExchanged: true
    case .none, .isElsewhere: false
    }
  }

  /// The kind's place in `allCases`.
  package var slot: Int { facts.slot }

  /// The kind that this one is a special case of, or itself.
  var family: Kind {
    switch self {
    case .lineSelection: .selection
    case .lineDeselection: .deselection
    case .unchanged, .cursorMove, .selection, .deselection, .cut, .paste, .outOfRangeTap,
      .insertion, .deletion, .replacement, .undo, .redo, .submission, .windowShift, .expected:
      self
    }
  }
}
