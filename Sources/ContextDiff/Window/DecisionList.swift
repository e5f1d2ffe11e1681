/// The published decision list, whose answer is `Transition.basicKind`, to the letter.
///
/// `nil` reads as `""`. Under `paragraph` the snapshots are first cut at the last newline of
/// `before`; under any other window they are read as they are.
struct DecisionList {
  let old: Fields
  let new: Fields
  let pasteboard: Field
  /// Whether `new.all = old.all`.
  private let keepsText: Bool

  /// The list for a pair of snapshots; `keepsText` says whether their visible text is the same (not asked
  /// under `paragraph`).
  init(old: Fields, new: Fields, window: Window, pasteboard: Field, keepsText: Bool) {
    self.old = window == .paragraph ? old.cutAtLastNewline : old
    self.new = window == .paragraph ? new.cutAtLastNewline : new
    self.pasteboard = pasteboard
    self.keepsText = window == .paragraph ? self.new.all == self.old.all : keepsText
  }

  /// The first rule that holds.
  @inline(__always) func rule() -> Rule {
    for rule in Rule.allCases where holds(rule) { return rule }
    return .anythingElse
  }

  /// Whether the condition of `rule` holds, whatever the rules before it say.
  func holds(_ rule: Rule) -> Bool {
    switch rule {
    case .selected: keepsText && !new.selected.isEmpty
    case .deselected: keepsText && !old.selected.isEmpty
    case .moved: keepsText && new.before.bytes != old.before.bytes
    case .same: keepsText
    case .lineSelected:
      new.before.bytes == .newline && old.all == Joined(new.selected.bytes)
    case .lineDeselected:
      old.before.bytes == .newline && new.all == Joined(old.selected.bytes)
    case .cut:
      Joined(old.before.bytes, old.after.bytes) == Joined(new.before.bytes, new.after.bytes)
    case .pasted:
      pasteboard.isShown && new.after.bytes == old.after.bytes
        && new.before.bytes.hasSuffix(pasteboard.bytes)
    case .anythingElse: true
    }
  }

  /// The lines of the list, with its numbers.
  enum Rule: Int, CaseIterable {
    case selected = 1
    case deselected, moved, same, lineSelected, lineDeselected, cut, pasted, anythingElse

    /// The `basicKind` that the line gives.
    var kind: Kind {
      switch self {
      case .selected: .selection
      case .deselected: .deselection
      case .moved: .cursorMove
      case .same: .unchanged
      case .lineSelected: .lineSelection
      case .lineDeselected: .lineDeselection
      case .cut: .cut
      case .pasted: .paste
      case .anythingElse: .outOfRangeTap
      }
    }
  }
}

extension Fields {
  /// The snapshot with `before` cut to what follows its last newline, or to that newline where nothing does:
  /// `a⏎b|` → `b|`, `a⏎|` → `⏎|`.
  var cutAtLastNewline: Fields {
    var cut = self
    let text = before.bytes
    let start = text.last == .newline ? text.count - 1 : text.lastLineStart
    if start > 0 { cut.before = Field(text.dropFirst(start)) }
    return cut
  }
}
