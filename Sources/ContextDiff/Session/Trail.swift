/// The states that a session came through last, by which a state that comes back is known even where the
/// history does not lead to it: an undo of what was not recognised, a half-way state (Qt).
struct Trail: Sendable {
  /// A state that was left, and by what.
  struct Step {
    var state: UInt64 = 0
    var kind = Kind.unchanged
    /// Whether it may have been something else.
    var isDoubted = false
    /// Whether it was an undo or a redo, or may have been one.
    var mayBeRetraced = false
    /// Whether one of these was named beside what it was.
    var namesRetraced = false
  }

  /// How many are kept.
  static let length = 16

  private var steps = InlineArray<16, Step>(repeating: Step())
  private var next = 0
  private(set) var count = 0
  /// What was done last, where it was an undo or a redo, and whether it may have been one: of every pair both
  /// are asked.
  private(set) var lastRetracing: Kind?
  private(set) var mayBeRetracing = false
  /// How many steps ago an edit was made, and whether the caret has jumped since.
  private var editAge = Trail.length
  private var hasJumped = false
  /// Whether the caret has jumped away from where something was edited lately: to take that back shows
  /// another place.
  var hasLeftEdit: Bool { hasJumped && editAge < Trail.length }

  /// The state left `distance` steps before the last one; less than `count`.
  subscript(distance: Int) -> Step {
    steps[(next + Trail.length - 1 - distance) % Trail.length]
  }

  /// Notes the state that was left, and by what.
  mutating func note(_ step: Step) {
    lastRetracing = step.kind == .undo || step.kind == .redo ? step.kind : nil
    mayBeRetracing = step.mayBeRetraced
    editAge = min(editAge + 1, Trail.length)
    switch step.kind.facts.text {
    case .comes, .goes, .isExchanged: (editAge, hasJumped) = (0, false)
    case .isElsewhere: hasJumped = true
    case .none: hasJumped = hasJumped || step.namesRetraced
    }
    steps[next] = step
    next = (next + 1) % Trail.length
    count = min(count + 1, Trail.length)
  }

  /// What brings a state back that was seen lately.
  struct Return {
    /// An undo, or a redo.
    var kind: Kind
    /// Whether the way back is that of the last retracing alone, with no edit in between.
    var reverses: Bool
    /// Whether that retracing may have been an edit, which would then be what is taken back.
    var isDoubted = false
    /// What was done last.
    var last: Step
  }

  /// Whether it takes edits back, or does them again, to come to `state`; `nil` where that was not seen
  /// lately, or nothing was done since but to move about.
  func retracing(to state: UInt64) -> Return? {
    var edits = 0
    var undone = 0
    var isDoubted = false
    for distance in 0..<count {
      let step = self[distance]
      if step.kind == .undo || step.kind == .redo {
        undone += step.kind == .undo ? 1 : -1
        isDoubted = isDoubted || step.isDoubted
      } else if step.kind.changesText {
        edits += 1
      }
      guard step.state == state else { continue }
      if edits > 0 {
        return Return(kind: .undo, reverses: false, last: self[0])
      }
      if undone == 0 { return nil }
      return Return(
        kind: undone > 0 ? .redo : .undo, reverses: true, isDoubted: isDoubted, last: self[0])
    }
    return nil
  }

  /// Whether `state` was left by a tap that may have been something else.
  func returnsFromDoubt(to state: UInt64) -> Bool {
    for distance in 0..<count where self[distance].state == state {
      return self[distance].kind == .outOfRangeTap && self[distance].isDoubted
    }
    return false
  }

  /// Whether it came through `state`.
  func holds(_ state: UInt64) -> Bool {
    // A span is looked at where it lies; the array would be copied for each step.
    let steps = steps.span
    for index in 0..<count where steps[index].state == state { return true }
    return false
  }
}

extension Fields {
  /// A number that stands for the snapshot: for how much it shows, and the text next to the caret.
  var state: UInt64 {
    var digest = Digest()
    digest.add(UInt64(before.bytes.count))
    digest.add(UInt64(selected.bytes.count))
    digest.add(UInt64(after.bytes.count))
    digest.add(before.bytes.suffix(min(Fields.reach, before.bytes.count)))
    digest.add(selected.bytes.prefix(min(Fields.reach, selected.bytes.count)))
    digest.add(after.bytes.prefix(min(Fields.reach, after.bytes.count)))
    return digest.value
  }

  /// How much of the text it stands for, in bytes on each side.
  private static var reach: Int { 16 }
}
