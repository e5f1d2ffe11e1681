// Announced edits are looked for in the verdict on a pair, which knows nothing of them: they change who did it, not
// what was done.

extension Session {
  /// A pair, and the verdict on it without announced edits.
  struct Unannounced {
    let old: Fields
    let new: Fields
    let pasteboard: Field
    let evidence: Evidence
    let classifier: Classifier
    /// What the verdict stands for.
    let transition: Transition
    /// Whether the user pressed a key that makes this edit, and that the input method cannot have used for its own.
    let isByKey: Bool
    /// The index of the first announced edit that begins at the old snapshot, if one does.
    let start: Int?
    /// The lengths of units that were counted for it: the recognisers make the same edits in much the same texts.
    let counted = UnitLengths.Counted()

    /// Whether text that was shown left of the caret still stands there, with more or less behind it.
    ///
    /// It did not go whole then; but blanks prove nothing, as they begin many a line.
    var keepsTextLeft: Bool {
      let (old, new) = (old.before.bytes, new.before.bytes)
      return old.differs(from: new, onlyBeyond: old.prefix(old.commonPrefix(new)))
    }

    /// The same right of the caret, with more or less before it.
    var keepsTextRight: Bool {
      let (old, new) = (old.after.bytes, new.after.bytes)
      return old.differs(from: new, onlyBeyond: old.suffix(old.commonSuffix(new)))
    }

    /// Whether all the old text is still shown, and more at one end.
    var keepsAllText: Bool {
      KeptScalars.areEnough(endOf: old.before.bytes, startOf: old.after.bytes)
        && new.beginsOrEnds(with: old)
    }
  }

  /// The announced edits found in a pair.
  struct Recognition {
    /// The transition that names them.
    var transition: Transition
    /// What happened to them.
    let event: ExpectedEdits.Event
    /// The exchange that they made, where it is known.
    var exchange: AnnouncedExchange?

    /// The same, which may as well be `kind`.
    func doubting(_ kind: Kind) -> Recognition {
      var recognition = self
      recognition.transition.doubt(kind)
      return recognition
    }
  }

  /// Looks for announced edits in a pair, on which the verdict without them is `plain`.
  ///
  /// The recognisers are asked one after the other, and the first that finds something decides. The first ones need the
  /// most agreement with what was announced, the last ones the least:
  ///
  /// 1. `asAnnounced`: a pair that shows just the announced snapshot. This needs no further evidence, and a key
  ///    pressed does not refute it.
  /// 2. A state that the last pair skipped comes late. It is as exact, but announced edits that wait come first.
  /// 3. `withMate`: the snapshot and one bracket more, and `withLineStart`: a line's beginning more. Before 4, which
  ///    might take the bracket for text that comes into view by another cut, or the line's beginning for a known one.
  /// 4. `cutOtherwise`: the snapshot in a window cut otherwise, unless `plain` is certain of something else; and
  ///    `respaced`: the snapshot but for its blanks.
  /// 5. `movedAsFar`: the caret went as far as was announced. Before 6, which would go on waiting for more.
  /// 6. `halfway`: no announced text yet, but a state on the way to it. Before 7 to 17, which all end the wait for an
  ///    edit (but for a deletion in 8); and `beforeCaret`: the text, and the caret not yet behind it. Before 10, which would
  ///    take that for a move of the user's.
  /// 7. `behindTap`: the announced text in the old one, at another caret.
  /// 8. `inExchange`, `overUnseenSelection` and `inPlaceOfMark`: the announced text, at the announced place, for other
  ///    text.
  /// 9. `atNewCaret`: the announced edit, made whole, at a caret that is known to be another; and `behindRefused`, without
  ///    those announced before it.
  /// 10. `withRest`: announced edits and something else. It fits nearly any pair, and so counts only where the rest says
  ///    less than `plain`.
  /// 11. `withCorrection`: the announced text behind a word that became another; `inserted`: nothing but the text agrees.
  /// 12. `behindUsersErasure` and `behindUsersEdit`: the text agrees with the end of what came.
  /// 13. `overUnseenKeys`: the text agrees, for less text than was to go.
  /// 14. `overSelectionBeyond`: the text agrees, with other text out of sight.
  /// 15. `beyondKnownText`: not even the text is known whole.
  /// 16. `movedBeyond`: the caret went where no text is known.
  /// 17. `begun`: only the beginning of the announced text came, most likely by the user.
  ///
  /// - Returns: `nil` where the pair shows none of the announced edits.
  func recognition(beside plain: Unannounced) -> Recognition? {
    let match = expected.match(from: plain.old, to: plain.new)
    if let match, match.nearness == .equal,
      let recognition = asAnnounced(match.shown, .equal, beside: plain)
    {
      return recognition
    }
    if !plain.isByKey,
      expected.isLate(plain.new, admitsUnknown: !plain.transition.isCertainly(.insertion))
    {
      return Recognition(transition: plain.transition.perhapsLate, event: .late)
    }
    // In three expressions, for the compiler.
    let upTo7 =
      withMate(beside: plain) ?? withLineStart(beside: plain)
      ?? cutOtherwise(match?.shown, beside: plain) ?? respaced(beside: plain)
      ?? movedAsFar(beside: plain)
      ?? halfway(beside: plain) ?? beforeCaret(beside: plain) ?? behindTap(beside: plain)
    let upTo10 =
      upTo7 ?? inExchange(beside: plain) ?? overUnseenSelection(beside: plain)
      ?? inPlaceOfMark(beside: plain) ?? atNewCaret(beside: plain)
      ?? behindRefused(beside: plain) ?? withRest(beside: plain)
    let upTo14 =
      upTo10 ?? withCorrection(beside: plain) ?? inserted(beside: plain)
      ?? behindUsersErasure(beside: plain) ?? behindUsersEdit(beside: plain)
      ?? overUnseenKeys(beside: plain) ?? overSelectionBeyond(beside: plain)
    return upTo14 ?? beyondKnownText(beside: plain) ?? movedBeyond(beside: plain)
      ?? begun(beside: plain)
  }

  /// Tells the announced edits what a pair did to them: `event`, or, where none was recognised, what follows from
  /// `transition`.
  ///
  /// - Returns: The numbers of the edits that no longer wait, and that nothing showed.
  mutating func settle(
    _ event: ExpectedEdits.Event?, _ transition: borrowing Transition,
    in observation: borrowing LentObservation
  ) -> [Int] {
    if expected.isEmpty { return [] }
    // Other text after a reset is another field's, in which nothing that waits is made.
    let leaves = observation.evidence.reset && transition.mayLeaveField
    if let event = event ?? (leaves ? .edit : transition.announcedEvent) {
      expected.pass(
        event, from: observation.old, to: observation.new,
        window: observation.evidence.window ?? window)
    }
    return expected.takeUnfulfilled()
  }
}

// MARK: - What the recognisers share

extension Session {
  /// The recognition that `plain` may be the edits of `shown`, which made `exchange` where that is known, and then
  /// `rest`.
  func perhaps(
    _ shown: ExpectedEdits.Shown, making exchange: AnnouncedExchange? = nil,
    and rest: ExpectedEdits.Rest = .nothing, beside plain: Unannounced
  ) -> Recognition {
    var transition = plain.transition.perhapsExpected(numbers(of: shown))
    if let exchange { transition.take(exchange) }
    return Recognition(
      transition: transition, event: .shown(shown, rest: rest), exchange: exchange)
  }

  /// The announced insertions from the edit at `first` on whose text stands left of the new caret, and of which `isMade`
  /// says, by the text before theirs, that the pair made them, and that text: as many as there are.
  func insertions(
    from first: Int, shownBy new: Fields, where isMade: (_ before: Bytes) -> Bool
  ) -> (shown: ExpectedEdits.Shown, before: Bytes)? {
    for (shown, announced) in expected.insertions(from: first) {
      let before = new.before.bytes.dropLast(atMost: announced.count)
      if announced.withBytes({ new.before.bytes.hasSuffix($0) }), isMade(before) {
        return (shown, before)
      }
    }
    return nil
  }

  /// The recognition that `plain` may be those insertions, in exchange for what the two snapshots do not have in common, and
  /// then `rest`.
  func perhapsInsertions(
    from first: Int, and rest: ExpectedEdits.Rest = .nothing, beside plain: Unannounced,
    where isMade: (_ before: Bytes) -> Bool
  ) -> Recognition? {
    let new = plain.new
    guard let (shown, before) = insertions(from: first, shownBy: new, where: isMade)
    else { return nil }
    let exchange = AnnouncedExchange(
      from: plain.old, to: new,
      keeping: (plain.old.all.commonStart(Joined(before)), new.after.bytes.count))
    return perhaps(shown, making: exchange, and: rest, beside: plain)
  }

  /// The numbers by which a transition names the edits of `shown`.
  func numbers(of shown: ExpectedEdits.Shown) -> [Int] {
    expected.announcements[shown].map(\.number)
  }

  /// Makes `edits`, one after the other, at the caret of the old snapshot, until the new snapshot shows just the
  /// result; at least the first `atLeast` of them, and as few as possible.
  ///
  /// With `ending`, the last one made is replaced by what this returns for it; edits for which it returns `nil` cannot be
  /// the last. An equal snapshot comes before an aligned one, then the likelier window, then fewer edits.
  ///
  /// - Returns: How many were made, and what they exchange; `nil` where the new snapshot shows none of the results as
  ///   near as `nearness` says.
  func exchange(
    making edits: [Edit], atLeast: Int, ending: ((Edit) -> Edit?)? = nil,
    shownBy plain: Unannounced, as nearness: AnnouncedText.Nearness = .aligned
  ) -> (count: Int, exchange: AnnouncedExchange)? {
    var found: (start: AnnouncedText, end: AnnouncedText, window: Window, count: Int)?
    search: for window in announcedWindows(first: plain.evidence.window ?? window) {
      let start = knownText(at: plain.old, window: window)
      var texts = [start]
      func make(_ edit: Edit, in texts: inout [AnnouncedText]) {
        texts.replaceEach { text in
          text.applying(edit, counted: plain.counted).map {
            $0.following(text).cut(by: window, terminators: plain.classifier.terminators)
          }
        }
      }
      for (count, edit) in zip(1..., edits) {
        let before = texts
        make(edit, in: &texts)
        var ends = texts
        if let ending {
          guard let last = ending(edit) else { continue }
          ends = before
          make(last, in: &ends)
        }
        if count < atLeast { continue }
        // An equal snapshot by any window wins over an aligned one by the first.
        if let end = ends.first(where: { $0.isShown(by: plain.new, .equal) }) {
          found = (start, end, window, count)
          break search
        }
        if found == nil, nearness == .aligned,
          let end = ends.first(where: { $0.isShown(by: plain.new, .aligned) })
        {
          found = (start, end, window, count)
        }
      }
    }
    guard let (start, end, window, count) = found else { return nil }
    return AnnouncedExchange(
      from: start, to: end, leaving: end.unchanged, shownBy: plain,
      window: hostWindow == nil ? nil : window
    ).map { (count, $0) }
  }

  /// What happened between the announced `state` and the new snapshot.
  func rest(of plain: Unannounced, from state: AnnouncedText) -> Transition {
    let (old, new) = (plain.old, plain.new)
    // `state` lacks the text beyond its reach: where the new snapshot still shows that, it is left out there, too.
    let left = old.before.bytes.prefix(atMost: state.left.unknown)
    let right = old.after.bytes.suffix(atMost: state.right.unknown)
    let seen = new.trimmed(
      left: new.before.bytes.hasPrefix(left) ? left.count : 0,
      right: new.after.bytes.hasSuffix(right) ? right.count : 0)
    return state.lend { state in
      var observation = LentObservation(
        old: state, new: seen, pasteboard: plain.pasteboard, evidence: plain.evidence)
      observation.namesShortcuts = namesShortcuts
      return plain.classifier.classify(observation)
    }
  }
}

extension Bytes {
  /// Whether one of the two is exactly `shared`, which is not blank, and the other has more text at its far end.
  fileprivate func differs(from other: Bytes, onlyBeyond shared: Bytes) -> Bool {
    self != other && shared.count == min(count, other.count) && !shared.isWhitespace
  }
}

extension Session.Outcome {
  /// Takes over that announced edits explain the pair, on which the verdict without them is `plain`.
  ///
  /// If their exchange is not known, the text around the caret is unknown afterwards where something else came with
  /// them, and where the verdict was an undo or a redo, which no announced edit is.
  mutating func take(_ recognition: Session.Recognition, beside plain: Transition) {
    announcedEvent = recognition.event
    if case .shown = recognition.event { mayBeRetraced = false }
    let exchange = recognition.exchange.flatMap { $0.isPartial ? nil : $0 }
    switch effect {
    case .edit, .move:
      if let exchange, exchange.isSame(as: plain) { return }
    case .retraced, .retracedElsewhere:
      if exchange == nil, !recognition.transition.kind.retraces { effect = .unknown }
    case .revisited, .announced, .cleared, .unknown: break
    }
    if let exchange {
      effect = .announced(exchange)
      isProven = false
      textDoubt = nil
    } else if case .shown(_, let rest) = recognition.event, rest != .nothing {
      effect = .unknown
    }
  }
}
