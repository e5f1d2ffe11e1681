import ContextDiff

/// A host whose window is cut somewhere and, now and then, cut anew.
struct UnsteadyHost {
  let window: Window
  private let reach: ClosedRange<Int>
  private var random: SeededGenerator
  private var first = 0
  private var last = 0

  /// A host that shows between `reach`'s bounds of scalars on either side; `sentence` is cut where
  /// the model says, and never anew.
  init(_ window: Window, reach: ClosedRange<Int> = 20...300, seed: UInt64) {
    self.window = window
    self.reach = reach
    random = SeededGenerator(seed: seed)
  }

  /// Cuts the window anew around the caret.
  mutating func cut(_ field: Field) {
    first = max(0, field.start - random.number(reach))
    last = min(field.text.count, field.end + random.number(reach))
  }

  /// Carries the cut over an edit, and cuts anew where the caret came too near to its edge.
  mutating func follow(_ field: Field, from old: Field) {
    let delta = Delta(old.text, field.text)
    func carried(_ position: Int) -> Int {
      if position == old.text.count { return field.text.count }
      if position <= delta.at { return position }
      let end = delta.at + delta.removed.count
      return position >= end ? position - end + delta.at + delta.put.count : delta.at
    }
    first = carried(first)
    last = carried(last)
    let isNear =
      field.start - first < 8 && first > 0 || last - field.end < 8 && last < field.text.count
    if field.start < first || field.end > last || field.end - first > 2 * reach.upperBound || isNear
    {
      cut(field)
    }
  }

  /// What is shown of `field` with the window where it is now, a side hidden now and then.
  mutating func showsOrHides(_ field: Field, hiding share: Double) -> Shown {
    var shown = shows(field)
    if random.chance(share) {
      if random.chance(0.5) { shown.before = nil } else { shown.after = nil }
    }
    return shown
  }

  /// What is shown of `field` with the window where it is now.
  func shows(_ field: Field) -> Shown {
    if window == .sentence { return Host(.sentence).shows(field) }
    var visible = Host(window).shows(field)
    visible.before = visible.before.map { Array($0.suffix(field.start - first)) }
    visible.after = visible.after.map { Array($0.prefix(last - field.end)) }
    if visible.before == [] { visible.before = nil }
    if visible.after == [] { visible.after = nil }
    return visible
  }
}
