extension Session {
  /// What a pair does to the session, beside the transition that says what it was.
  ///
  /// It is not copied, being made for every pair; nor does it hold the transition, which goes
  /// straight to whoever asked.
  struct Outcome: ~Copyable {
    var change = Change.nothing
    /// Whether another stretch of remembered text may explain the pair better.
    var isOpenToRecall = false
    /// Whether one key does it.
    var isKey = false
    /// Whether it looks the same as an undo or a redo.
    var mayBeRetraced = false
    /// What it shows of the announced edits.
    var announced: ExpectedEdits.Event?
    /// How likely the reading is; `nil` where the memory or the history confirms it.
    var weight: Double?
    /// Whether the readings compared the text that the change leads to with what was seen.
    var isProven = false
    /// Whether another edit would show the same, after which the text is another.
    var isAmbiguous = false
    /// The rival history that it goes by, which is the better one then.
    var taken: Int?
    /// How each rival history explains the pair, where it does.
    var rivalWays: [Retracing.Found?] = []
    /// What else the pair would have done to the history.
    var rival = Rival.none

    /// Whether `kind` may as well be one more undo or redo.
    func mayGoOnRetracing(as kind: Kind) -> Bool {
      switch kind {
      case .outOfRangeTap, .selection, .lineSelection, .replacement, .windowShift: true
      case .insertion: weight != nil
      default: false
      }
    }

    /// Whether the text that is not shown may be another than the one remembered.
    var isDoubtful: Bool {
      switch change {
      case .retraced(let found): found.cost > 1
      case .revisited, .retracedElsewhere: true
      default: isAmbiguous
      }
    }
  }

  /// What a pair does to the memory.
  enum Change {
    case nothing
    /// An edit at the caret; `inserted` lies in what the pair was given by, or in `clips`.
    case edit(left: Int, selection: Bool, right: Int, inserted: Bytes, selects: Bool)
    /// The caret so many bytes on in the known text, selecting so many from there; whether another
    /// place looks alike.
    case move(by: Int, selecting: Int, isDoubtful: Bool)
    indirect case retraced(Retracing.Found)
    /// The same in another stretch of remembered text, by its place among them.
    indirect case retracedElsewhere(Int, Retracing.Found)
    /// The caret to an offset in another stretch.
    case revisited(Int, caret: Int, selecting: Int)
    /// All the text is gone.
    case cleared
    /// Somewhere else, or something that is not known whole.
    case unknown
  }
}

extension Session.Outcome {
  /// Weighs what `verdict` says of the pair without the memory, of which a part is doubtful.
  mutating func weigh(
    _ verdict: borrowing Verdict, for pair: borrowing Pair, composition: Composition?,
    in transition: inout Transition
  ) {
    guard let weight else { return }
    let kind = verdict.winner.kind
    var others = [transition.kind] + transition.alternatives
    for other in [kind] + verdict.alternatives where !others.contains(other) {
      others.append(other)
    }
    if kind != transition.kind, verdict.winner.weight + Measured.doubted > weight {
      transition = verdict.transition(for: pair, composition: composition)
      change = .unknown
    }
    transition.alternatives = others.filter { $0 != transition.kind }
    if !transition.alternatives.isEmpty { transition.certainty = .likely }
  }
}

extension Session.Outcome {
  /// Takes what `verdict` says of the pair without the memory, where that is so much likelier that
  /// the text which came into view is not the remembered one any more.
  mutating func giveWay(
    to verdict: borrowing Verdict, for pair: borrowing Pair, composition: Composition?,
    in transition: inout Transition
  ) {
    guard let weight, verdict.winner.weight + Measured.coincidence > weight,
      verdict.winner.kind != transition.kind, verdict.winner.kind != .outOfRangeTap,
      verdict.winner.evidence(in: pair) >= Evidence.enough
    else { return }
    transition = verdict.transition(for: pair, composition: composition)
    change = .unknown
  }
}

extension Transition {
  /// Whether a new line came with an indentation that `before` did not begin with, so that nothing
  /// else explains it.
  func indents(behind before: Field) -> Bool {
    guard kind == .insertion, let inserted, before.isShown else { return false }
    return inserted.withBytes { line in
      line.isLineBreak && line.count > 1 && !before.bytes.hasPrefix(line.dropFirst(1))
    }
  }
}

extension Transition {
  /// Whether the text may as well be another afterwards, or all of it as it was.
  var isDoubted: Bool {
    alternatives.contains { other in
      switch other {
      case .cursorMove, .deselection, .windowShift: true
      case .insertion: kind == .deletion || kind == .replacement
      case .deletion: kind == .insertion || kind == .replacement
      case .replacement: kind == .insertion || kind == .deletion
      default: false
      }
    }
  }
}

extension Transition {
  /// Whether typing goes on with the step that this was; Chromium's does not with what was cut or
  /// pasted.
  var leavesOpen: History.End {
    switch kind {
    case .cut: alternatives.contains(.deletion) ? .doubtful : .closed
    case .paste: alternatives.contains(.insertion) ? .doubtful : .closed
    case .deletion: alternatives.contains(.cut) ? .doubtful : .open
    default: .open
    }
  }
}
