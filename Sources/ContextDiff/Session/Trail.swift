/// The digests of a session's last snapshots.
///
/// They recognise a snapshot that comes back even where no history leads to it: after the undo of an edit that was not
/// recognised, or of a state halfway through one (Qt).
struct Trail: Sendable {
  /// A pair: the digest of its old snapshot, and what the verdict was.
  struct Step {
    var state: UInt64 = 0
    var kind = Kind.unchanged
    /// Whether the verdict was not certain.
    var isDoubted = false
    /// Whether a deletion is among the verdict's alternatives.
    var namesDeletion = false
    /// Whether it was an undo or a redo, or may have been one.
    var mayBeRetraced = false
    /// Whether an undo or a redo is among the verdict's alternatives.
    var namesRetraced = false

    /// Its kind, where that is an undo or a redo.
    var retracing: Kind? { kind.retraces ? kind : nil }
  }

  /// How many steps are kept at most.
  static let length = 16

  /// The steps kept, the oldest of them at `next` once there are `length`.
  private var steps: [Step] = []
  /// Where the next step is kept.
  private var next = 0
  /// How many steps ago the last edit was, `length` at most, and whether the caret has jumped since.
  private var editAge = Trail.length
  private var hasJumped = false
  /// Whether the caret has jumped away from the last edit, fewer than `length` steps ago: the undo shows another place.
  var hasLeftEdit: Bool { hasJumped && editAge < Trail.length }

  /// How many steps are kept.
  var count: Int { steps.count }

  /// The step `distance` before the last one; one that did nothing where there is none.
  subscript(distance: Int) -> Step {
    guard distance < steps.count else { return Step() }
    let index = next - 1 - distance
    return steps[index < 0 ? index + steps.count : index]
  }

  /// Appends `step`, and drops the oldest beyond `length`.
  mutating func note(_ step: Step) {
    editAge = min(editAge + 1, Trail.length)
    switch step.kind.facts.text {
    case .comes, .goes, .isExchanged: (editAge, hasJumped) = (0, false)
    case .isElsewhere: hasJumped = true
    case .none: hasJumped = hasJumped || step.namesRetraced
    }
    if steps.count < Trail.length {
      if steps.isEmpty { steps.reserveCapacity(Trail.length) }
      steps.append(step)
    } else {
      steps[next] = step
    }
    next = (next + 1) % Trail.length
  }

  /// The act that would bring back a snapshot seen lately.
  struct Return {
    /// An undo, or a redo.
    var kind: Kind
    /// Whether it reverses undos or redos alone, with no edit in between.
    var reverses: Bool
    /// Whether one of these may have been an edit, which this act would undo.
    var isDoubted: Bool
    /// Whether it reverses edits of which the last may have been an undo or a redo: then this act may be the other of the
    /// two.
    var mayBeRedo: Bool
  }

  /// The undo or redo that would lead to `state`; `nil` where `state` was not seen lately, or nothing was done since
  /// that could be reversed.
  func retracing(to state: UInt64) -> Return? {
    var edits = 0
    var undone = 0
    var isDoubted = false
    var last: Step?
    for distance in 0..<count {
      let step = self[distance]
      if last == nil, step.retracing != nil || step.kind.changesText { last = step }
      if let retracing = step.retracing {
        undone += retracing == .undo ? 1 : -1
        isDoubted = isDoubted || step.isDoubted
      } else if step.kind.changesText {
        edits += 1
      }
      guard step.state == state else { continue }
      let reverses = edits == 0
      if reverses, undone == 0 { return nil }
      return Return(
        kind: reverses && undone > 0 ? .redo : .undo, reverses: reverses,
        isDoubted: reverses && isDoubted,
        mayBeRedo: !reverses && last?.namesRetraced ?? false)
    }
    return nil
  }

  /// Whether `state` was the old snapshot of a step that is kept.
  func holds(_ state: UInt64) -> Bool { steps.contains { $0.state == state } }
}

extension Fields {
  /// A digest of the snapshot: the lengths of its fields, and their text next to the caret.
  @inline(__always) var state: UInt64 {
    var digest = Digest()
    digest.add(UInt64(before.bytes.count))
    digest.add(UInt64(selected.bytes.count))
    digest.add(UInt64(after.bytes.count))
    digest.add(before.bytes.suffix(atMost: Fields.reach))
    digest.add(selected.bytes.prefix(atMost: Fields.reach))
    digest.add(after.bytes.prefix(atMost: Fields.reach))
    return digest.value
  }

  /// How many bytes of each field `state` takes in.
  private static var reach: Int { 16 }
}
