/// The edits that a session's input method announced and no post has shown yet.
struct ExpectedEdits: Sendable {
  /// An announced edit, by the snapshots on its two sides.
  struct Entry: Sendable {
    /// What its announcement was answered with.
    var number: Int
    var old: Snapshot
    var new: Snapshot
    /// Whether text that is not known would come into view on that side of `new`.
    var isOpenLeft = false
    var isOpenRight = false
  }

  /// How a step shows announced edits.
  enum Match {
    /// Some that wait, and nothing else.
    case whole(Shown)
    /// A state that a step went past before.
    case late
  }

  /// Announced edits that a step shows.
  struct Shown {
    /// Their numbers, in the order of their announcement.
    var numbers: [Int]
    /// How many wait no longer: those, and any announced before them.
    var end: Int
  }

  /// How many wait at most, and how much text they may hold beside the last one, in bytes; the oldest
  /// goes first.
  static let capacity = 32
  static let byteCapacity = 4 << 20

  private(set) var entries: [Entry] = []
  /// The number of the edit that is announced next.
  private(set) var nextNumber = 1
  /// Edits that gave way to later ones, by their numbers, of which no transition has told yet.
  private(set) var overdue: [Int] = []
  /// The states that the last step went past, and where it led.
  private(set) var passed: [Snapshot] = []
  /// The text around the caret where the edits announced so far lead, as far as it is known.
  private(set) var endText: EditedText?

  /// Whether no edit waits and none can be late.
  var isBlank: Bool { entries.isEmpty && passed.isEmpty && overdue.isEmpty }

  /// How much text is kept, in bytes.
  var byteCount: Int {
    if entries.isEmpty, passed.isEmpty { return 0 }
    return entries.reduce(endText?.byteCount ?? 0) { $0 + $1.byteCount }
      + passed.reduce(0) { $0 + $1.byteCount }
  }

  /// Where the edits announced so far lead.
  var end: Snapshot? { entries.last?.new }

  /// Has an edit wait, and gives it a number.
  mutating func add(
    old: Snapshot, new: Snapshot, isOpenLeft: Bool = false, isOpenRight: Bool = false,
    text: EditedText? = nil
  ) -> Int {
    if entries.count == ExpectedEdits.capacity { dropFirst() }
    var byteCount = entries.reduce(0) { $0 + $1.byteCount }
    while byteCount > ExpectedEdits.byteCapacity {
      byteCount -= entries[0].byteCount
      dropFirst()
    }
    let number = nextNumber
    nextNumber += 1
    entries.append(
      Entry(
        number: number, old: old, new: new, isOpenLeft: isOpenLeft, isOpenRight: isOpenRight))
    endText = text
    return number
  }

  private mutating func dropFirst() {
    // Who never posts hears of the last of them alone.
    if overdue.count == ExpectedEdits.capacity { overdue.removeFirst() }
    overdue.append(entries.removeFirst().number)
  }

  /// Takes back the edit of that number, and those announced on top of it; says whether it waited.
  mutating func withdraw(_ number: Int) -> Bool {
    guard let first = entries.firstIndex(where: { $0.number == number }) else { return false }
    let end = chainEnd(from: first)
    if end == entries.count { endText = nil }
    entries.removeSubrange(first..<end)
    return true
  }

  /// The edits of which no transition has told yet that they wait no longer.
  mutating func takeOverdue() -> [Int] {
    defer { overdue = [] }
    return overdue
  }

  /// How the step from `old` to `new` shows announced edits alone; `nil` where it does not.
  ///
  /// The shortest chain that leads from the one to the other counts, an exact one before one that
  /// needs another cut of the window.
  func match(from old: Fields, to new: Fields) -> Match? {
    if !entries.isEmpty {
      for nearness in [Nearness.equal, .aligned] {
        for first in entries.indices where starts(entries[first], at: old, nearness) {
          for last in first..<chainEnd(from: first)
          where leads(entries[last], to: new, nearness) {
            return .whole(shown(first...last))
          }
        }
      }
    }
    for state in passed where state.lend(to: { $0.isNear(new, .equal) }) { return .late }
    return nil
  }

  /// The announced states that a chain from `old` leads through, the last first, each with the
  /// edits up to it.
  func states(from old: Fields) -> [(state: Snapshot, shown: Shown)] {
    guard let first = start(of: old) else { return [] }
    return (first..<chainEnd(from: first)).reversed().map {
      (entries[$0].new, shown(first...$0))
    }
  }

  private func shown(_ range: ClosedRange<Int>) -> Shown {
    Shown(numbers: entries[range].map(\.number), end: range.upperBound + 1)
  }

  /// Where the edits announced so far lead from `latest`; `nil` where none begins there.
  func end(from latest: Fields) -> Snapshot? {
    start(of: latest) == nil ? nil : end
  }

  /// The first announced edit that begins at `old`.
  private func start(of old: Fields) -> Int? {
    for nearness in [Nearness.equal, .aligned] {
      if let first = entries.indices.first(where: { starts(entries[$0], at: old, nearness) }) {
        return first
      }
    }
    return nil
  }

  /// Takes the first `count` edits as shown.
  mutating func consume(_ count: Int) {
    if count > 1 { passed = entries.prefix(count).map(\.new) } else { passed = [] }
    entries.removeFirst(min(count, entries.count))
    if entries.isEmpty { endText = nil }
  }

  /// A post that shows something else ends what could still be late.
  mutating func forgetPassed() { passed = [] }

  private func starts(_ entry: Entry, at old: Fields, _ nearness: Nearness) -> Bool {
    entry.old.lend { $0.isNear(old, nearness) }
  }

  private func leads(_ entry: Entry, to new: Fields, _ nearness: Nearness) -> Bool {
    entry.new.lend {
      $0.isNear(new, nearness, ignoringLeft: entry.isOpenLeft, ignoringRight: entry.isOpenRight)
    }
  }

  /// Behind the last entry that follows from `first` without a break.
  private func chainEnd(from first: Int) -> Int {
    var end = first + 1
    while end < entries.count,
      entries[end - 1].new.lend(to: {
        starts(entries[end], at: $0, .equal) || starts(entries[end], at: $0, .aligned)
      })
    {
      end += 1
    }
    return end
  }

  init() {}

  init(
    entries: [Entry], nextNumber: Int, overdue: [Int], passed: [Snapshot], endText: EditedText?
  ) {
    self.entries = entries
    self.nextNumber = nextNumber
    self.overdue = overdue
    self.passed = passed
    self.endText = endText
  }
}

extension ExpectedEdits.Entry {
  fileprivate var byteCount: Int { old.byteCount + new.byteCount }
}

extension Snapshot {
  fileprivate var byteCount: Int { lend { $0.all.count } }
}

/// How near two snapshots must be to count as the same.
enum Nearness {
  /// The same scalars in each field.
  case equal
  /// The same text, either window cut elsewhere.
  case aligned
}

extension Fields {
  /// Whether both show the same place of the same text.
  ///
  /// Windows cut elsewhere must agree on four scalars; a side may be left out of account.
  func isNear(
    _ other: Fields, _ nearness: Nearness, ignoringLeft: Bool = false, ignoringRight: Bool = false
  ) -> Bool {
    if selected.bytes != other.selected.bytes { return false }
    switch nearness {
    case .equal:
      return (ignoringLeft || before.bytes == other.before.bytes)
        && (ignoringRight || after.bytes == other.after.bytes)
    case .aligned:
      let left = min(before.bytes.count, other.before.bytes.count)
      let right = min(after.bytes.count, other.after.bytes.count)
      let overlapLeft = before.bytes.suffix(left)
      let overlapRight = after.bytes.prefix(right)
      guard ignoringLeft || overlapLeft == other.before.bytes.suffix(left),
        ignoringRight || overlapRight == other.after.bytes.prefix(right)
      else { return false }
      let evidence =
        (ignoringLeft ? 0 : Evidence.count(endOf: overlapLeft))
        + (ignoringRight ? 0 : Evidence.count(startOf: overlapRight))
      return evidence >= Evidence.enough
    }
  }
}
