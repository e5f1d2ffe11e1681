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
  indirect enum Rival {
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

extension [Session.Past] {
  /// How many are kept at most.
  private static var capacity: Int { 3 }

  /// Goes on with what `outcome` says, besides an edit; those end that have no place for it.
  mutating func follow(_ outcome: borrowing Session.Outcome) {
    if isEmpty { return }
    switch outcome.change {
    case .nothing, .move, .edit: for index in indices { self[index].wait() }
    case .retraced:
      for index in indices {
        self[index].follow(
          outcome.rivalWays.indices.contains(index) ? outcome.rivalWays[index] : nil)
      }
    default: return removeAll()
    }
    if let taken = outcome.taken { remove(at: taken) }
    removeAll { $0.isOver }
  }

  /// Takes `past` in, unless it is one of these or `history`; the least likely gives way.
  mutating func admit(_ past: Session.Past, beside history: History) {
    if past.history == history || contains(where: { $0.history == past.history }) { return }
    if count == Self.capacity {
      let worst = indices.max { self[$0].cost < self[$1].cost }
      guard let worst, self[worst].cost >= past.cost else { return }
      remove(at: worst)
    }
    append(past)
  }
}

extension Session.Past {
  /// How many pairs it may last that nothing tells from the others, the likelier the longer.
  private static let lifetime = 24

  fileprivate var isOver: Bool { age * (1 + cost) >= Session.Past.lifetime }

  fileprivate mutating func wait() {
    isKey = false
    retracing = nil
    age += 1
  }

  fileprivate mutating func follow(_ way: Retracing.Found?) {
    wait()
    guard let way else {
      age = Session.Past.lifetime
      return
    }
    history.retrace(way)
    cost += way.cost
    retracing = way.kind
  }
}
