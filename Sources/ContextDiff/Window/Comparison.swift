/// How what was seen on one side of the caret agrees with what a reading predicts there.
struct Fit {
  enum Agreement: Int {
    /// As the window shows it, as far as the text is known.
    case exact
    /// The same text, cut elsewhere than the window's rule says.
    case recut
    /// The host shows nothing where there is text.
    case hidden
    /// Other text.
    case none
  }

  var agreement: Agreement
  /// How many bytes of what was seen the prediction accounts for, next to the caret.
  var known = 0
  /// What of what was seen lies beyond the text that is known.
  var beyond = Bytes.empty
  /// Whether the text is seen to end, or to begin anew, where that was not known.
  var isNewEnd = false

  /// How many scalars, 32 and one at most, were not known.
  var unknown: Int {
    (beyond.isEmpty ? 0 : beyond.newScalars(upTo: Fit.unknownLimit)) + (isNewEnd ? 1 : 0)
  }

  static var none: Fit { Fit(agreement: .none) }

  /// The limit of `unknown`: beyond it a coincidence is out of the question anyway.
  static let unknownLimit = 32
}

extension Pair {
  /// Compares what was seen left of the caret with what the window shows of `text`.
  ///
  /// `edge` stands for the known text's own left edge, where that is gone.
  func compareLeft(_ text: Joined, edge: Edge? = nil) -> Fit {
    let seen = new.before.bytes
    let length = text.count
    let edge = edge ?? known.leftEdge
    if length == 0 { return compareUnknownLeft(edge: edge) }
    if window.left == .sentence && text.last == .newline {
      if seen == .newline { return Fit(agreement: .exact, known: 1) }
      return Fit(agreement: seen.isEmpty ? .hidden : .none)
    }
    if window.left == .line && text.last == .newline {
      return Fit(agreement: seen.isEmpty ? .exact : .none)
    }
    // A plain cut is anywhere, and at a line's start as likely as elsewhere.
    if seen.isEmpty {
      return Fit(agreement: window.left == .all && text.last == .newline ? .recut : .hidden)
    }
    if seen.count <= length {
      guard text.hasSuffix(seen) else { return .none }
      return Fit(agreement: leftAgreement(text, cutAt: length &- seen.count), known: seen.count)
    }
    guard text == Joined(seen.suffix(length)) else { return .none }
    // Of a field that is known to be empty nothing lies beyond what is put in.
    if known.isAllEmpty, edge == .document { return .none }
    let beyond = seen.dropLast(length)
    return Fit(
      agreement: leftAgreement(beyond: beyond, of: text, edge: edge), known: length,
      beyond: beyond)
  }

  /// Compares what was seen right of the caret with what the window shows of `text`.
  ///
  /// `edge` stands for the known text's own right edge, where that is gone.
  func compareRight(_ text: Joined, edge: Edge? = nil) -> Fit {
    let seen = new.after.bytes
    let length = text.count
    if length == 0 { return compareUnknownRight(edge: edge ?? known.rightEdge) }
    if window.right != .all && text.first == .newline {
      if !seen.isEmpty { return .none }
      let isExact = window.right == .line || new.after.isShown
      return Fit(agreement: isExact ? .exact : .hidden)
    }
    if seen.isEmpty { return Fit(agreement: .hidden) }
    if seen.count <= length {
      guard text.hasPrefix(seen) else { return .none }
      return Fit(agreement: rightAgreement(text, cutAt: seen.count), known: seen.count)
    }
    guard text == Joined(seen.prefix(length)) else { return .none }
    if known.isAllEmpty, edge ?? known.rightEdge == .document { return .none }
    let isOpen = window.right == .sentence && known.rightEdge == .open
    return Fit(
      agreement: isOpen ? .exact : .recut, known: length, beyond: seen.dropFirst(length))
  }

  /// Whether what was seen parts within a few characters from `text` left of `left` and right of
  /// `right`, so that neither side needs to be compared.
  func partsAtOnce(left: Int, right: Int, in text: Joined) -> Bool {
    let before = text.stretch(endingAt: left)
    let after = text.stretch(at: right)
    // Text first: what an unknown side may show takes longer to tell.
    if !after.isEmpty, after.partsAtOnce(from: new.after.bytes) { return true }
    if !before.isEmpty, before.partsAtOnce(fromEndOf: new.before.bytes) { return true }
    return after.isEmpty && compareUnknownRight(edge: known.rightEdge).agreement > admitted
      || before.isEmpty && compareUnknownLeft(edge: known.leftEdge).agreement > admitted
  }

  /// How what is selected now agrees with `text`.
  func compareSelected(_ text: Joined) -> Fit.Agreement {
    text == Joined(new.selected.bytes) ? .exact : .none
  }

  // MARK: - Where nothing is known

  private func compareUnknownLeft(edge: Edge) -> Fit {
    let seen = new.before.bytes
    // That the text ends or begins anew here is one more thing that was not known.
    if seen.isEmpty {
      let isNew = window.left == .sentence && edge != .document
      return Fit(agreement: .exact, isNewEnd: isNew)
    }
    switch edge {
    case .document: return .none
    case .line where window.left == .line: return .none
    case .line: return seen == .newline ? Fit(agreement: .exact, isNewEnd: true) : .none
    case .sentence:
      // What a sentence most often follows.
      if seen == .newline { return Fit(agreement: .exact, isNewEnd: true) }
      let isEnd = seen.last == .newline || terminators.contains(seen.lastScalar)
      return Fit(agreement: isEnd ? .exact : .recut, beyond: seen, isNewEnd: true)
    case .open:
      // A host that shows all there is, or much of it, hardly ever cuts just where the text goes that was shown.
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

  // MARK: - Whether a cut is where the rule has it

  /// How a `before` that begins at `cut` in `text` agrees with the rule.
  private func leftAgreement(_ text: Joined, cutAt cut: Int) -> Fit.Agreement {
    if cut == 0 { return .exact }
    // What is remembered reaches farther than what was shown before does, too.
    if window.left == .all && known.shownLeft < known.left.count { return .exact }
    if window.left == .all { return .recut }
    let outside = text.scalar(before: cut)
    if outside == 0x0A { return .exact }
    if window.left == .line { return .recut }
    return terminators.contains(outside) && !terminators.contains(text.scalar(after: cut))
      ? .exact : .recut
  }

  /// How a `before` that shows `beyond` left of the known `text` agrees with the rule.
  private func leftAgreement(beyond: Bytes, of text: Joined, edge: Edge) -> Fit.Agreement {
    if window.left == .line, edge == .open { return .exact }
    guard window.left == .sentence else { return .recut }
    switch edge {
    case .document, .line: return .recut
    case .sentence:
      // A terminator typed where a sentence begins joins the run that ends the one before.
      return terminators.contains(text.scalar(after: 0))
        && terminators.contains(beyond.lastScalar) ? .exact : .recut
    case .open: return .exact
    }
  }

  /// How an `after` that ends at `cut` in `text` agrees with the rule.
  private func rightAgreement(_ text: Joined, cutAt cut: Int) -> Fit.Agreement {
    if cut == text.count { return .exact }
    let outside = text.scalar(after: cut)
    switch window.right {
    case .all: return known.shownRight < known.right.count ? .exact : .recut
    case .line: return outside == 0x0A ? .exact : .recut
    case .sentence:
      if outside == 0x0A { return .exact }
      return terminators.contains(text.scalar(before: cut)) && !terminators.contains(outside)
        ? .exact : .recut
    }
  }
}
