extension Session {
  /// A history that the text may have, and what was done last in it.
  struct Past: Sendable {
    var history: History
    /// What was done last, where it was an undo or a redo.
    var retracing: Kind?
    /// Whether one key that erases was pressed in it.
    var isKey = false
    /// How little speaks for it.
    fileprivate(set) var cost = 0
    /// How many pairs have not told the two apart.
    private var age = 0
  }

  /// What else a pair would have done to the history.
  enum Rival {
    case none
    case retraced(Retracing.Found)
    case edited(left: Int, removed: [UInt8], inserted: [UInt8], isKey: Bool, end: History.End)
  }
}

extension Session.Past {
  init(history: History, retracing: Kind?, isKey: Bool, cost: Int) {
    self.history = history
    self.cost = cost
    self.retracing = retracing
    self.isKey = isKey
  }

  /// What `history` would be after `rival`; `nil` where there is none.
  init?(of rival: Session.Rival, from history: History, at memory: borrowing Memory) {
    var history = history
    switch rival {
    case .none: return nil
    case .retraced(let found):
      history.retrace(found)
      self.init(history: history, retracing: found.kind, isKey: false, cost: found.cost)
    case .edited(let left, let removed, let inserted, let isKey, let end):
      removed.withUnsafeBufferPointer { removed in
        inserted.withUnsafeBufferPointer { inserted in
          history.record(
            History.Entry(
              position: memory.caret - left, removed: Bytes(removed), inserted: Bytes(inserted),
              caret: memory.caret, selected: memory.selectedCount, end: end))
        }
      }
      self.init(history: history, retracing: nil, isKey: isKey, cost: 0)
    }
  }
}

extension Optional<Session.Past> {
  /// Goes on with what `outcome` says, besides an edit, or ends where that has no place for it.
  mutating func follow(_ outcome: borrowing Session.Outcome) {
    guard var past = self else { return }
    past.isKey = false
    past.retracing = nil
    switch outcome.change {
    case .nothing, .move, .edit: self = past.ages() ? past : nil
    case .retraced:
      if let way = outcome.rivalWay {
        past.history.retrace(way)
        past.cost += way.cost
        past.retracing = way.kind
        self = past
      } else {
        self = nil
      }
    default: self = nil
    }
  }
}

extension Session.Past {
  /// How many pairs a rival history may last that nothing tells from the other.
  private static let lifetime = 24

  fileprivate mutating func ages() -> Bool {
    age += 1
    return age < Session.Past.lifetime
  }
}
