/// The text around a caret, on which an announced edit can be tried.
struct EditedText: Sendable {
  var left: String
  var selected: String
  var right: String
  /// Whether text beyond was taken away that is not known.
  var reachesLeft = false
  var reachesRight = false

  /// How much of each side is kept: more than any window of a line, less than a document.
  static let limit = 4_096

  var byteCount: Int { left.utf8.count + selected.utf8.count + right.utf8.count }

  init(left: String, selected: String, right: String) {
    self.left = left
    self.selected = selected
    self.right = right
  }

  init(_ known: Known) {
    let left = known.left.dropFirst(
      known.left.scalarStart(atOrAfter: max(0, known.left.count - EditedText.limit)))
    let right = known.right.prefix(
      known.right.scalarStart(atOrBefore: min(known.right.count, EditedText.limit)))
    self.init(left: left.string, selected: known.selected.string, right: right.string)
  }

  init(_ snapshot: Snapshot, window: Window) {
    let isLineEnd = window == .sentence && snapshot.after.map(\.isEmpty) ?? false
    self.init(
      left: snapshot.before ?? "", selected: snapshot.selected ?? "",
      right: isLineEnd ? "\n" : snapshot.after ?? "")
  }

  /// Makes `edit` as `Session.expect(old:edit:with:)` says.
  mutating func make(_ edit: Edit) {
    var backward = edit.deleteBackward
    var forward = edit.deleteForward
    if !selected.isEmpty, !edit.insert.isEmpty || backward > 0 || forward > 0 {
      selected = ""
      if backward > 0 { backward -= 1 } else if forward > 0 { forward -= 1 }
    }
    reachesLeft = reachesLeft || left.count < backward
    reachesRight = reachesRight || right.count < forward
    _ = left.takeLast(backward)
    right.removeFirst(min(forward, right.count))
    left += edit.insert
    guard edit.moveCaret != 0 else { return }
    if !selected.isEmpty {
      if edit.moveCaret > 0 { left += selected } else { right = selected + right }
      selected = ""
    }
    if edit.moveCaret > 0 {
      let length = min(edit.moveCaret, right.count)
      left += right.prefix(length)
      right.removeFirst(length)
    } else {
      right = left.takeLast(Int(clamping: edit.moveCaret.magnitude)) + right
    }
  }

  /// What the window shows of it.
  func snapshot(window: Window, terminators: Terminators) -> Snapshot {
    Snapshot(
      before: left.withBytes { window.shownLeft(of: $0, terminators: terminators).string },
      selected: selected.isEmpty ? nil : selected,
      after: right.withBytes { window.shownRight(of: $0, terminators: terminators).string })
  }
}

extension String {
  /// Takes off the last `length` grapheme clusters, or all where there are not so many.
  ///
  /// Goes there from the start: where a flag begins in a run of them depends on all that is before
  /// it, so that going back takes that long for each.
  fileprivate mutating func takeLast(_ length: Int) -> String {
    let start = index(startIndex, offsetBy: max(0, count - length))
    defer { removeSubrange(start...) }
    return String(self[start...])
  }
}

extension Edit {
  /// Whether it can be made: no count is negative, and it does something.
  var isValid: Bool {
    deleteBackward >= 0 && deleteForward >= 0
      && (!insert.isEmpty || deleteBackward > 0 || deleteForward > 0 || moveCaret != 0)
  }
}
