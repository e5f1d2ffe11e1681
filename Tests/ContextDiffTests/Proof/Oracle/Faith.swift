import ContextDiff

extension PublishedList {
  /// What an engine must say where the list decides by one of its rules 1 to 8 and the snapshots
  /// do not contradict it (the model's part 3, "faithful where the list decides"); `nil` where it
  /// is free.
  static func binding(
    _ old: Shown, _ new: Shown, host: Host, pasteboard: [Unicode.Scalar]?
  ) -> Kind? {
    let kind = kind(old, new, window: host.window, pasteboard: pasteboard)
    let oldLine = line(old, host.window)
    let newLine = line(new, host.window)
    switch kind {
    case .selection where old == new: return .unchanged
    case .lineSelection where !(newLine.after ?? []).isEmpty: return nil
    case .lineDeselection where !(oldLine.after ?? []).isEmpty: return nil
    case .cut:
      guard let selected = old.selected, new.selected == nil else { return nil }
      return pasteboard == nil || pasteboard == selected ? .cut : .deletion
    case .paste:
      guard let pasteboard, new.selected == nil else { return nil }
      let pasted = Field((old.before ?? []) + pasteboard, 0, 0).text
      let shown = host.shows(Field(pasted, pasted.count, pasted.count)).before
      return shown == new.before && !pasteboard.isEmpty ? .paste : nil
    case .outOfRangeTap: return nil
    default: return kind
    }
  }
}
