extension Pair {
  /// Compares the new `before` with what the window shows of `text`, the predicted text left of the caret.
  ///
  /// `edge` is what lies left of `text`; the known text's own left edge by default.
  func compareLeft(_ text: Joined, edge: Edge? = nil) -> Fit {
    let seen = new.before.bytes
    let length = text.count
    let edge = edge ?? known.leftEdge
    if length == 0 { return compareUnknownLeft(edge: edge) }
    if window.left == .sentence && text.last == .newline {
      if seen == .newline { return Fit(agreement: .exact, matched: 1) }
      return Fit(agreement: seen.isEmpty ? .hidden : .none)
    }
    if window.left == .line && text.last == .newline {
      return Fit(agreement: seen.isEmpty ? .exact : .none)
    }
    // A host that cuts anywhere may cut at the line's start, and show nothing of the lines above.
    if seen.isEmpty {
      return Fit(agreement: text.last == .newline ? .recut : .hidden)
    }
    if seen.count <= length {
      guard text.hasSuffix(seen) else { return .none }
      return Fit(agreement: leftAgreement(text, cutAt: length &- seen.count), matched: seen.count)
    }
    guard text == Joined(seen.suffix(length)) else { return .none }
    // A field known to be empty holds nothing beyond what was put into it.
    if known.isAllEmpty, edge == .document { return .none }
    let beyond = seen.dropLast(length)
    return Fit(
      agreement: leftAgreement(beyond: beyond, of: text, edge: edge), matched: length,
      beyond: beyond)
  }

  /// Compares the new `after` with what the window shows of `text`, the predicted text right of the caret.
  ///
  /// `edge` is what lies right of `text`; the known text's own right edge by default.
  func compareRight(_ text: Joined, edge: Edge? = nil) -> Fit {
    let seen = new.after.bytes
    let length = text.count
    let edge = edge ?? known.rightEdge
    if length == 0 { return compareUnknownRight(edge: edge) }
    if window.right != .all && text.first == .newline {
      if !seen.isEmpty { return .none }
      let isExact = window.right == .line || new.after.isShown
      return Fit(agreement: isExact ? .exact : .hidden)
    }
    if seen.isEmpty { return Fit(agreement: .hidden) }
    if seen.count <= length {
      guard text.hasPrefix(seen) else { return .none }
      return Fit(agreement: rightAgreement(text, cutAt: seen.count), matched: seen.count)
    }
    guard text == Joined(seen.prefix(length)) else { return .none }
    if known.isAllEmpty, edge == .document { return .none }
    let isOpen = window.right == .sentence && edge == .open
    return Fit(
      agreement: isOpen ? .exact : .recut, matched: length, beyond: seen.dropFirst(length))
  }

  /// Whether the new window differs, within 8 bytes of the caret or by a known edge, from `text` left of `left`
  /// or right of `right`: then the two sides need not be compared.
  func differsNearCaret(left: Int, right: Int, in text: Joined) -> Bool {
    let before = text.stretch(endingAt: left)
    let after = text.stretch(at: right)
    // Text first: to compare an unknown side takes longer.
    if !after.isEmpty, after.differsAtStart(from: new.after.bytes) { return true }
    if !before.isEmpty, before.differsAtEnd(from: new.before.bytes) { return true }
    return after.isEmpty && compareUnknownRight(edge: known.rightEdge).agreement > admitted
      || before.isEmpty && compareUnknownLeft(edge: known.leftEdge).agreement > admitted
  }

  /// How the new `selected` agrees with `text`, the predicted selection.
  func compareSelected(_ text: Joined) -> Fit.Agreement {
    text == Joined(new.selected.bytes) ? .exact : .none
  }

  // MARK: - A side on which no text is known

  private func compareUnknownLeft(edge: Edge) -> Fit {
    let seen = new.before.bytes
    // Nor was it known that the text begins just here.
    if seen.isEmpty {
      let isNew = window.left == .sentence && edge != .document
      return Fit(agreement: .exact, isNewEnd: isNew)
    }
    switch edge {
    case .document: return .none
    case .line: return seen == .newline ? Fit(agreement: .exact, isNewEnd: true) : .none
    case .sentence:
      // Most often a sentence stands at the start of a line.
      if seen == .newline { return Fit(agreement: .exact, isNewEnd: true) }
      let isEnd = seen.last == .newline || terminators.contains(seen.lastScalar)
      return Fit(agreement: isEnd ? .exact : .recut, beyond: seen, isNewEnd: true)
    case .open:
      // All text known on the left is removed: a host that shows much hardly ever cut its window just there.
      let isCut = window.left == .all && known.left.count == known.shownLeft
      return Fit(agreement: isCut ? .recut : .exact, beyond: seen, isNewEnd: true)
    }
  }

  private func compareUnknownRight(edge: Edge) -> Fit {
    let seen = new.after.bytes
    if seen.isEmpty {
      if edge == .document && new.after.isShown && window == .sentence {
        return Fit(agreement: .hidden)
      }
      let isNew = window.right == .sentence && edge != .document
      return Fit(agreement: .exact, isNewEnd: isNew)
    }
    switch edge {
    case .document, .line: return .none
    case .sentence:
      let isRun = terminators.contains(seen.firstScalar)
      return Fit(agreement: isRun ? .recut : .exact, beyond: seen, isNewEnd: true)
    case .open: return Fit(agreement: .exact, beyond: seen, isNewEnd: true)
    }
  }

  // MARK: - Whether the window is cut by its rule

  /// Whether the host's window was cut by its length, left of the old caret: it showed less text than the session
  /// remembers there.
  var isCutByLength: Bool { window.left == .all && known.shownLeft < known.left.count }

  /// Whether the host cut both fields, the same side of the two snapshots, by their length, so that `hidden` bytes of text
  /// slid out of sight.
  private func areCutByLength(_ old: Bytes, _ new: Bytes, hidden: Int) -> Bool {
    hidden <= Measured.slide && min(old.count, new.count) >= Measured.leastCut
      && old.scalarCount == new.scalarCount
  }

  /// Whether the rule lets `before` begin at offset `cut` of the predicted `text`.
  private func leftAgreement(_ text: Joined, cutAt cut: Int) -> Fit.Agreement {
    if cut == 0 || isCutByLength { return .exact }
    if window.left == .all {
      return areCutByLength(old.before.bytes, new.before.bytes, hidden: cut) ? .exact : .recut
    }
    let outside = text.scalar(before: cut)
    return window.left.cuts(
      beside: outside,
      endingSentence: terminators.endSentence(with: outside, before: text.scalar(after: cut)))
      ? .exact : .recut
  }

  /// Whether the rule lets `before` show `beyond`, which was not known, left of the predicted `text`.
  private func leftAgreement(beyond: Bytes, of text: Joined, edge: Edge) -> Fit.Agreement {
    if window.left == .line, edge == .open { return .exact }
    guard window.left == .sentence else { return .recut }
    switch edge {
    case .document, .line: return .recut
    case .sentence:
      // A terminator typed at a sentence's start joins the run before it: `ア。|イ` → `ア。。|イ`.
      return terminators.contains(text.scalar(after: 0))
        && terminators.contains(beyond.lastScalar) ? .exact : .recut
    case .open: return .exact
    }
  }

  /// Whether the rule lets `after` end at offset `cut` of the predicted `text`.
  private func rightAgreement(_ text: Joined, cutAt cut: Int) -> Fit.Agreement {
    if cut == text.count { return .exact }
    if window.right == .all {
      let isCut =
        known.shownRight < known.right.count
        || areCutByLength(old.after.bytes, new.after.bytes, hidden: text.count - cut)
      return isCut ? .exact : .recut
    }
    let outside = text.scalar(after: cut)
    return window.right.cuts(
      beside: outside,
      endingSentence: terminators.endSentence(with: text.scalar(before: cut), before: outside))
      ? .exact : .recut
  }
}
