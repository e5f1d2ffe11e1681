/// Reads what the writer wrote; each answer is `nil` where the bytes do not hold it.
struct ArchiveReader {
  private(set) var bytes: ArraySlice<UInt8>

  mutating func word() -> UInt64? {
    guard bytes.count >= 8 else { return nil }
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() { value |= UInt64(byte) << (8 * index) }
    bytes.removeFirst(8)
    return value
  }

  mutating func int() -> Int? { word().map { Int(truncatingIfNeeded: $0) } }

  /// An offset or a length: no text is so long that sums of a few of these overflow.
  mutating func offset() -> Int? {
    guard let value = int(), value.magnitude < 1 << 48 else { return nil }
    return value
  }

  mutating func byte() -> UInt8? { int().flatMap { UInt8(exactly: $0) } }

  mutating func count() -> Int? {
    // Everything counted takes a byte at least.
    guard let value = int(), value >= 0, value <= bytes.count else { return nil }
    return value
  }

  mutating func bytesField() -> [UInt8]? {
    guard let length = count() else { return nil }
    defer { bytes.removeFirst(length) }
    return Array(bytes.prefix(length))
  }

  mutating func bool() -> Bool? {
    int().flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
  }

  private mutating func double() -> Double? { word().map(Double.init(bitPattern:)) }

  /// A sum of weights, in bits.
  mutating func bits() -> Double? { double().flatMap { $0.isFinite ? $0 : nil } }

  /// How likely something is beside the likeliest, in bits; it may be impossible.
  mutating func weight() -> Double? { double().flatMap { $0 <= 0 ? $0 : nil } }

  mutating func name<Name: RawRepresentable<String>>(_: Name.Type = Name.self) -> Name? {
    string().flatMap(Name.init)
  }

  /// An undo or a redo.
  mutating func retracing() -> Kind? { name().flatMap { $0 == .undo || $0 == .redo ? $0 : nil } }

  /// What was read, where that may be nothing.
  mutating func optional<Value>(_ value: (inout ArchiveReader) -> Value?) -> Value?? {
    guard let isThere = bool() else { return nil }
    return isThere ? value(&self).map { .some($0) } : .some(nil)
  }

  mutating func string() -> String? {
    bytesField().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func snapshot() -> Snapshot?? {
    optional { reader in
      guard let before = reader.optional({ $0.string() }),
        let selected = reader.optional({ $0.string() }),
        let after = reader.optional({ $0.string() }), let hasText = reader.optional({ $0.bool() }),
        let caret = reader.optional({ $0.int() }),
        let selectionShown = reader.optional({ $0.bool() })
      else { return nil }
      return Snapshot(
        before: before, selected: selected, after: after,
        hasText: hasText, caret: caret, selectionShown: selectionShown)
    }
  }

  mutating func windowBelief() -> WindowBelief? {
    var bits = SIMD4<Double>()
    for index in bits.indices {
      guard let weight = self.bits() else { return nil }
      bits[index] = weight
    }
    guard let pairs = length(), let tellingPairs = length(), let isOneSentence = bool(),
      let showsSelections = bool(), let told = optional({ $0.name(Window.self) }),
      let window = name(Window.self)
    else { return nil }
    return WindowBelief(
      bits: bits, pairs: pairs, tellingPairs: tellingPairs, isOneSentence: isOneSentence,
      showsSelections: showsSelections, told: told, window: window)
  }

  mutating func causeBelief() -> CauseBelief? {
    guard let others = length(), let inputMethods = length() else { return nil }
    return CauseBelief(others: others, inputMethods: inputMethods)
  }

  mutating func groupingBelief() -> GroupingBelief? {
    guard let run = bits(), let word = bits(), let edit = bits() else { return nil }
    return GroupingBelief(bits: SIMD3(run, word, edit))
  }

  mutating func trail() -> Trail? {
    guard let count = length(), count <= Trail.length else { return nil }
    var trail = Trail()
    for _ in 0..<count {
      guard let state = word(), let kind = name(Kind.self), let isDoubted = bool(),
        let mayBeRetraced = bool(), let namesRetraced = bool()
      else {
        return nil
      }
      trail.note(
        Trail.Step(
          state: state, kind: kind, isDoubted: isDoubted, mayBeRetraced: mayBeRetraced,
          namesRetraced: namesRetraced))
    }
    return trail
  }

  mutating func memory(limit: Int) -> Memory? {
    guard let isEmpty = bool() else { return nil }
    if isEmpty { return Memory(limit: limit) }
    guard let text = bytesField(), let caret = offset(), let selected = offset(),
      let origin = offset(), let left = int(), let right = int(), let isDoubtful = bool(),
      let seam = optional({ $0.offset() }), let seamWeight = weight()
    else { return nil }
    let start = caret &- origin
    guard let leftEdge = UInt8(exactly: left).flatMap(Edge.init),
      let rightEdge = UInt8(exactly: right).flatMap(Edge.init), start >= 0, selected >= 0,
      start <= text.count, selected <= text.count - start,
      String(validating: text, as: UTF8.self) != nil,
      text.startsScalar(at: start), text.startsScalar(at: start + selected)
    else { return nil }
    return Memory(
      limit: limit, text: text, caret: start, selecting: selected, origin: origin,
      leftEdge: leftEdge, rightEdge: rightEdge, isDoubtful: isDoubtful,
      seam: seam.map { ($0, seamWeight) })
  }

  mutating func history() -> History? {
    guard let done = steps(), let undone = steps() else { return nil }
    return History(done: done, undone: undone)
  }

  mutating func pasts() -> [Beam.Past]? {
    list { reader in
      guard let history = reader.history(), let last = reader.optional({ $0.retracing() }),
        let weight = reader.weight(), weight.isFinite
      else { return nil }
      return Beam.Past(history: history, last: last, weight: weight)
    }
  }

  mutating func stretches(limit: Int) -> Stretches? {
    let stretches: [Stretches.Stretch]? = list { reader in
      guard let memory = reader.memory(limit: limit), let history = reader.history()
      else { return nil }
      return Stretches.Stretch(memory: memory, history: history)
    }
    guard let stretches, let hasEdits = bool() else { return nil }
    return Stretches(stretches: stretches, hasEdits: hasEdits)
  }

  private mutating func steps() -> [History.Step]? {
    list { reader in
      guard let position = reader.offset(), let removed = reader.scalars(),
        let inserted = reader.scalars(), let caret = reader.offset(),
        let selected = reader.offset(), let end = reader.byte().flatMap(History.End.init),
        let bond = reader.byte().flatMap(History.Bond.init),
        let deed = reader.byte().flatMap(History.Deed.init), let lastEdit = reader.offset(),
        let composed = reader.optional({ $0.length() }),
        composed.map({ $0 <= inserted.count }) ?? true,
        let breaks = reader.list(of: { $0.length() }),
        breaks.allSatisfy({ $0 <= inserted.count }), let endSelected = reader.length(),
        endSelected <= inserted.count, let flags = reader.int()
      else { return nil }
      return History.Step(
        position: position, removed: removed, inserted: inserted, caret: caret,
        selected: selected, end: end, bond: bond, deed: deed, lastEdit: lastEdit,
        composed: composed, breaks: breaks, isWhole: flags & 1 != 0,
        isDoubted: flags & 2 != 0, endSelected: endSelected)
    }
  }

  mutating func expectedEdits() -> ExpectedEdits? {
    let entries: [ExpectedEdits.Entry]? = list { reader in
      guard let number = reader.length(), let flags = reader.int(), let old = reader.texts(),
        let new = reader.texts(), !old.isEmpty, !new.isEmpty,
        let edit = reader.optional({ $0.edit() })
      else { return nil }
      return ExpectedEdits.Entry(
        number: number, old: old, new: new, edit: edit, followsLast: flags & 1 != 0,
        isReached: flags & 2 != 0)
    }
    guard let entries, entries.count <= ExpectedEdits.capacity, let nextNumber = length(),
      nextNumber > 0,
      let unfulfilled = list(of: { $0.length() }), let passed = texts()
    else { return nil }
    return ExpectedEdits(
      entries: entries, nextNumber: nextNumber, unfulfilled: unfulfilled, passed: passed)
  }

  private mutating func edit() -> Edit? {
    guard let insert = string(), let backward = int(), let forward = int(), let move = int(),
      let unit = name(Edit.Unit.self)
    else { return nil }
    let edit = Edit(
      insert: insert, deleteBackward: backward, deleteForward: forward, moveCaret: move, unit: unit)
    return edit.isValid ? edit : nil
  }

  private mutating func texts() -> [AnnouncedText]? {
    list { reader in
      guard let left = reader.scalars(), let selected = reader.scalars(),
        let right = reader.scalars(), let lostLeft = reader.bytesField(),
        let lostRight = reader.bytesField(), let beyondLeft = reader.length(),
        let beyondRight = reader.length(), let selectedCount = reader.length(),
        let shownLeft = reader.length(), let shownRight = reader.length(),
        let scalars = reader.offset(), let utf16 = reader.offset(), let reaches = reader.int(),
        // Of what is kept in part, the two ends are looked for in what is shown.
        selectedCount == selected.count || selected.count >= AnnouncedText.reach,
        shownLeft <= left.count, left.startsScalar(at: left.count - shownLeft),
        shownRight <= right.count, right.startsScalar(at: shownRight)
      else { return nil }
      return AnnouncedText(
        left: left, selected: selected, right: right, beyondLeft: beyondLeft,
        beyondRight: beyondRight, selectedCount: selectedCount, shownLeft: shownLeft,
        shownRight: shownRight, reachesLeft: reaches & 1 != 0, reachesRight: reaches & 2 != 0,
        lostLeft: lostLeft, lostRight: lostRight,
        shift: AnnouncedText.Shift(scalars: scalars, utf16: utf16))
    }
  }

  mutating func length() -> Int? { offset().flatMap { $0 < 0 ? nil : $0 } }

  /// A text that is well-formed UTF-8.
  private mutating func scalars() -> [UInt8]? {
    bytesField().flatMap { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
  }

  private mutating func list<Element>(
    of element: (inout ArchiveReader) -> Element?
  ) -> [Element]? {
    guard let length = count() else { return nil }
    var elements: [Element] = []
    for _ in 0..<length {
      guard let next = element(&self) else { return nil }
      elements.append(next)
    }
    return elements
  }
}

extension [UInt8] {
  /// Whether `offset` is where a scalar of this text begins, or its end.
  fileprivate func startsScalar(at offset: Int) -> Bool {
    offset == count || !Bytes.isContinuation(self[offset])
  }
}
