import ContextDiff

/// The model's part 2, transcribed a second time: the measure of the engine's `basicKind`.
enum PublishedList {
  /// What the list says of `old` and `new`; `nil` as the pasteboard says that it is not known.
  static func kind(
    _ old: Shown, _ new: Shown, window: Window, pasteboard: [Unicode.Scalar]?
  ) -> Kind {
    let old = line(old, window)
    let new = line(new, window)
    let newline = [Host.newline]
    let oldBefore = old.before ?? []
    let newBefore = new.before ?? []
    if new.all == old.all {
      if !(new.selected ?? []).isEmpty { return .selection }
      if !(old.selected ?? []).isEmpty { return .deselection }
      return newBefore != oldBefore ? .cursorMove : .unchanged
    }
    if newBefore == newline, old.all == new.selected ?? [] { return .lineSelection }
    if oldBefore == newline, old.selected ?? [] == new.all { return .lineDeselection }
    if oldBefore + (old.after ?? []) == newBefore + (new.after ?? []) { return .cut }
    if new.after ?? [] == old.after ?? [], let pasteboard,
      newBefore.suffix(pasteboard.count).elementsEqual(pasteboard)
    {
      return .paste
    }
    return .outOfRangeTap
  }

  /// The snapshot as the list wants it: under `paragraph` cut at the last newline.
  static func line(_ shown: Shown, _ window: Window) -> Shown {
    guard window == .paragraph, let before = shown.before,
      let last = before.lastIndex(of: Host.newline)
    else { return shown }
    var cut = shown
    cut.before = last == before.count - 1 ? [Host.newline] : Array(before[(last + 1)...])
    return cut
  }
}
