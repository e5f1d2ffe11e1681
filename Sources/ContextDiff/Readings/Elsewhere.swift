/// The caret moved out of the visible text, where the window can show any text.
enum ElsewhereReading {
  /// How many scalars of the new window are counted before all are: enough to tell most pairs, in no time.
  private static let firstScalars = 12

  static func propose(for pair: Pair, in contest: inout Contest) {
    // A host that cuts anywhere may show nothing but an empty line.
    let mayShowNothing =
      pair.window == .line || pair.window == .sentence && pair.new.after.isShown
      || pair.window == .full && pair.evidence.key == .unpressed || pair.evidence.key == .caret
    if pair.new.isEmpty, !mayShowNothing { return }
    if pair.evidence.isCrediblyByInputMethod || pair.evidence.wasEmpty { return }
    // Most pairs show far more text than a tap would by coincidence; the first scalars tell, most of the time.
    let part = pair.new.before.bytes.newScalars(upTo: ElsewhereReading.firstScalars)
    if pair.window != .paragraph, pair.scalarsBeyondOverlap == nil,
      contest.leaveOutElsewhere(atMost: Model.moved + Double(part) * Measured.scalar)
    {
      return
    }
    contest.accept(hypothesis(for: pair))
  }

  /// The hypothesis of a tap to other text.
  static func hypothesis(for pair: Pair) -> Hypothesis {
    .unplaced(
      .outOfRangeTap,
      weight: weight(of: pair) + (pair.contradictsCarets ? Measured.misplaced : 0))
  }

  /// The weight of the caret having gone to other text, which looks like the new window.
  static func weight(of pair: Pair) -> Double {
    if pair.isFartherDown {
      return Model.moved + Model.place(among: pair.new.before.bytes.scalarCount)
        + Double(pair.new.after.bytes.newScalars + 1) * Measured.scalar
    }
    if let unknown = pair.scalarsBeyondOverlap {
      return Model.moved + Double(unknown + 2) * Measured.scalar
    }
    return Model.moved + pair.costOfUnknown + (pair.window == .line ? Measured.lineTap : 0)
      + pair.bitsOfOldLineBeside + (staysAtAnEnd(pair) ? Measured.anchored : 0)
  }

  /// Whether both carets are at the same end of the document, as far as null tells.
  private static func staysAtAnEnd(_ pair: Pair) -> Bool {
    // Null is an end of the line alone; but where no text is remembered, an end of the document, unless a key that
    // moves the caret found text there.
    if pair.window == .paragraph || pair.window == .line {
      return pair.known.isAllEmpty && pair.new.after.isEmpty && pair.evidence.key != .caret
    }
    guard pair.old.selected.isEmpty else { return false }
    return !pair.old.after.isShown && !pair.new.after.isShown
      || !pair.old.before.isShown && !pair.new.before.isShown
  }
}

extension Pair {
  /// Whether the new `before`, reaching back over earlier lines, shows all of the old line and the newline behind
  /// it: the caret is in a line farther down.
  var isFartherDown: Bool {
    if window != .paragraph { return false }
    let seen = Joined(new.before.bytes)
    let all = old.all
    if seen.count > all.count, seen.prefix(all.count) == all {
      return new.before.bytes[all.count] == .newline
    }
    // The same where `before` reaches back less far than it did; not Return at a line's end.
    let come = come
    let rest = Joined(old.selected.bytes, old.after.bytes)
    guard gone.isEmpty, alignment.newCut == 0, come.count > rest.count,
      !rest.isEmpty || !come.isWhitespace
    else { return false }
    return Joined(come).prefix(rest.count) == rest && come[rest.count] == .newline
  }

  /// Whether the two windows, laid over each other by the caret positions that the host reports, show different text at
  /// the same place.
  var contradictsCarets: Bool {
    guard let offset = evidence.caretOffset, shownOld.selected.isEmpty, shownNew.selected.isEmpty
    else { return false }
    // How many scalars later the new window begins; where a caller's positions overflow it, the windows do not overlap.
    let start =
      offset &+ shownOld.before.bytes.scalarCount &- shownNew.before.bytes.scalarCount
    let old = shownOld.all.dropFirst(scalars: max(0, start))
    let new = shownNew.all.dropFirst(scalars: max(0, 0 &- start))
    return old.commonPrefix(new) < min(old.count, new.count)
  }

  /// How many scalars the new window shows beyond the old one, where the two overlap as a host that cuts anywhere shows
  /// one text, and the new caret lies beyond the old window; else `nil`.
  fileprivate var scalarsBeyondOverlap: Int? {
    guard window == .full, known.isRemembered, let start = overlaidStart else { return nil }
    let visible = known.visible
    let (before, after) = (new.before.bytes, new.after.bytes)
    let caret = start + before.count
    // Nothing is to be seen beyond the document's ends.
    if known.leftEdge == .document, start < 0 { return nil }
    let end = caret + new.selected.bytes.count + after.count
    if known.rightEdge == .document, end > known.text.count { return nil }
    if caret > visible.upperBound {
      return before.prefix(max(0, visible.lowerBound - start)).newScalars
        + before.suffix(caret - visible.upperBound).newScalars
        + new.selected.bytes.newScalars + after.newScalars
    }
    guard caret < visible.lowerBound, new.selected.isEmpty else { return nil }
    return before.newScalars + after.prefix(atMost: visible.lowerBound - caret).newScalars
  }

  /// What it costs, in bits, that neither the new window's text nor its two ends were known.
  var costOfUnknown: Double {
    var scalars = new.selected.bytes.newScalars
    let (before, after) = (new.before.bytes, new.after.bytes)
    if window == .line || window == .sentence {
      // Most places for the caret are in unseen lines or sentences; but that one begins, or ends, as the old one does is
      // the less likely, the more of it there is.
      let start = old.before.bytes.commonStart(before)
      let end = old.after.bytes.commonEnd(after)
      scalars +=
        before.prefix(start).newScalars
        + before.dropFirst(start).newScalars(upTo: Measured.mostUnknown)
        + after.suffix(end).newScalars
        + after.dropLast(end).newScalars(upTo: Measured.mostUnknown)
    } else {
      scalars += before.newScalars + after.newScalars
    }
    return Double(scalars + 2) * Measured.scalar
  }

  /// What the scalars cost, in bits, that a hypothesis does not predict (`Fit.unknown`), and those of `news`, the inserted
  /// ones, beyond the first `Measured.mostUnknown`, which its prior holds.
  ///
  /// By `paragraph` and `full` they cost on each side as much as a tap to the same text, less the predicted ones.
  func bitsOfUnknown(beside left: Fit, _ right: Fit, news: Bytes = .empty) -> Double {
    let unknown = left.unknown + right.unknown
    if window == .line || window == .sentence || !old.selected.isEmpty {
      return Double(unknown) * Measured.scalar
    }
    let before = new.before.bytes.suffix(left.matched).dropLast(atMost: news.count)
    let after = new.after.bytes.prefix(right.matched)
    let more =
      Measured.uncounted(left.beyond, and: news, beside: before)
      + Measured.uncounted(right.beyond, beside: after)
    return Double(unknown + more) * Measured.scalar
  }
}

extension Measured {
  /// How many scalars of two unknown stretches are not among the first `mostUnknown` of each, and still count beside
  /// `predicted`, which is shown with them.
  fileprivate static func uncounted(
    _ beyond: Bytes, and news: Bytes = .empty, beside predicted: Bytes
  ) -> Int {
    if max(beyond.count, news.count) <= mostUnknown { return 0 }
    let (beyond, news) = (beyond.newScalars, news.newScalars)
    let all = min(beyond + news, 2 * mostUnknown - predicted.newScalars)
    return max(0, all - min(beyond, mostUnknown) - min(news, mostUnknown))
  }
}
