/// What is true of a kind by itself: one row for each. What keys do of it (`Act`), and how a step goes on
/// behind it (`Verdict.leavesOpen`) stands there.
extension Kind {
  struct Facts {
    /// Its place among all kinds, from 0.
    var slot: Int
    /// What it does to the text.
    var text: TextChange
    /// What becomes of text being composed.
    var composition: CompositionChange
  }

  /// What a kind does to the document's text.
  enum TextChange {
    case none, comes, goes, isExchanged
    /// The caret is in text that need not have been seen.
    case isElsewhere
  }

  /// What a kind does to text being composed.
  enum CompositionChange {
    case goesOn, ends
    /// It goes on where the caret and the edit stay within it.
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

  /// Whether it is an edit by keys alone: text typed, erased or exchanged.
  var isPlainEdit: Bool { self == .insertion || self == .deletion || self == .replacement }

  /// Whether it exchanges, puts in or takes away text.
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

/// Some of the kinds: a bit for each, by its slot.
struct KindSet: OptionSet {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ kind: Kind) { self.init(rawValue: 1 &<< UInt32(kind.slot)) }

  /// All kinds of the family of `kind`.
  init(familyOf kind: Kind) { self = KindSet.families[kind.slot] }

  /// For each kind its family, made once.
  private static let families: [KindSet] = Kind.allCases.map { kind in
    KindSet(Kind.allCases.filter { $0.family == kind.family }.map { KindSet($0) })
  }

  /// Takes the first kind out, and says its slot; `nil` where there is none.
  mutating func popFirstSlot() -> Int? {
    if rawValue == 0 { return nil }
    let slot = rawValue.trailingZeroBitCount
    rawValue &= rawValue &- 1
    return slot
  }
}
