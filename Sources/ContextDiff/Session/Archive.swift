extension Session {
  /// The session as bytes, for another process of the same version to go on with.
  ///
  /// The bytes hold the text that the session remembers.
  public func archived() -> [UInt8] {
    var writer = ArchiveWriter()
    writer.write(Archive.magic)
    writer.write(latest)
    writer.write(window.slot)
    writer.write(windowSource.rawValue)
    writer.write(pairs)
    writer.write(memory)
    writer.write(beam.pasts.count)
    for past in beam.pasts { writer.write(past) }
    writer.write(isIndented ? 1 : 0)
    writer.write(elsewhere.stretches.count)
    for stretch in elsewhere.stretches {
      writer.write(stretch.memory)
      writer.write(stretch.history)
    }
    writer.write(elsewhere.hasEdits ? 1 : 0)
    writer.write(Array(clips.texts.raw))
    writer.write(expected)
    return writer.bytes
  }

  /// The session that `archived()` gave; `nil` where the bytes are not such a session, or one of
  /// another version.
  public init?(archive: [UInt8], memoryLimit: Int = 65_536) {
    var reader = ArchiveReader(bytes: archive[...])
    guard reader.bytesField() == Archive.magic, let latest = reader.snapshot(),
      let slot = reader.int(), Window.allCases.indices.contains(slot),
      let windowSource = reader.int().flatMap(WindowSource.init), let pairs = reader.int(),
      let memory = reader.memory(limit: memoryLimit), let beam = reader.pasts().flatMap(Beam.init),
      let isIndented = reader.int(), let stretches = reader.stretches(limit: memoryLimit),
      let hasEdits = reader.int(), let clips = reader.bytesField().flatMap(Clips.init),
      let expected = reader.expectedEdits(),
      reader.bytes.isEmpty
    else { return nil }
    self.init(
      latest: latest.value, window: Window.allCases[slot], memory: memory, beam: beam,
      expected: expected, isIndented: isIndented != 0, windowSource: windowSource,
      pairs: pairs)
    self.clips = clips
    elsewhere = Stretches(stretches: stretches, hasEdits: hasEdits != 0)
    countHeldBytes()
  }
}

extension [UInt8] {
  /// Whether `offset` is where a scalar of this text begins, or its end.
  fileprivate func startsScalar(at offset: Int) -> Bool {
    offset == count || !Bytes.isContinuation(self[offset])
  }
}

private enum Archive {
  /// Changes with the layout.
  static let magic = Array("contextdiff session 8".utf8)
}

extension Window {
  fileprivate var slot: Int {
    switch self {
    case .sentence: 0
    case .paragraph: 1
    case .line: 2
    case .full: 3
    }
  }
}

/// Integers as eight bytes, the least first; texts behind their length.
private struct ArchiveWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: Int) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func write(_ text: [UInt8]) {
    write(text.count)
    bytes.append(contentsOf: text)
  }

  mutating func write(_ text: String?) {
    write(text == nil ? 0 : 1)
    if let text { write(Array(text.utf8)) }
  }

  mutating func write(_ flag: Bool?) {
    write(flag.map { $0 ? 2 : 1 } ?? 0)
  }

  mutating func write(_ snapshot: Snapshot?) {
    write(snapshot == nil ? 0 : 1)
    guard let snapshot else { return }
    for field in [snapshot.before, snapshot.selected, snapshot.after] { write(field) }
    write(snapshot.hasText)
    write(snapshot.caret == nil ? 0 : 1)
    write(snapshot.caret ?? 0)
    write(snapshot.selectionShown)
  }

  mutating func write(_ memory: Memory) {
    write(memory.isEmpty ? 0 : 1)
    write(memory.text)
    for value in [memory.caret, memory.selectedCount, memory.origin] { write(value) }
    write(Int(memory.leftEdge.rawValue))
    write(Int(memory.rightEdge.rawValue))
    write(memory.isDoubtful ? 1 : 0)
    write(memory.seam == nil ? 0 : 1)
    write(memory.seam ?? 0)
    write(Int((memory.seamWeight * 1_000).rounded()))
  }

  mutating func write(_ past: Beam.Past) {
    write(past.history)
    write(past.last.map { $0 == .undo ? 1 : 2 } ?? 0)
    // Thousandths of a bit.
    write(Int((past.weight * 1_000).rounded()))
  }

  mutating func write(_ expected: ExpectedEdits) {
    write(expected.entries.count)
    for entry in expected.entries {
      write(entry.number)
      write((entry.followsLast ? 1 : 0) + (entry.isReached ? 2 : 0))
      write(entry.old)
      write(entry.new)
    }
    write(expected.nextNumber)
    write(expected.unfulfilled.count)
    for number in expected.unfulfilled { write(number) }
    write(expected.passed)
  }

  private mutating func write(_ texts: [AnnouncedText]) {
    write(texts.count)
    for text in texts {
      for part in [text.left, text.selected, text.right, text.lostLeft, text.lostRight] {
        write(part)
      }
      for count in [
        text.beyondLeft, text.beyondRight, text.selectedCount, text.shownLeft, text.shownRight,
        text.shift.scalars, text.shift.utf16,
      ] {
        write(count)
      }
      write((text.reachesLeft ? 1 : 0) + (text.reachesRight ? 2 : 0))
    }
  }

  mutating func write(_ history: History) {
    for steps in [history.done, history.undone] {
      write(steps.count)
      for step in steps { write(step) }
    }
  }

  mutating func write(_ step: History.Step) {
    write(step.position)
    write(step.removed)
    write(step.inserted)
    write(step.caret)
    write(step.selected)
    for value in [step.end.rawValue, step.bond.rawValue, step.deed.rawValue] { write(Int(value)) }
    write(step.lastEdit)
    write(step.composed ?? -1)
    write(step.breaks.count)
    for offset in step.breaks { write(offset) }
    write(step.endSelected)
    write((step.isWhole ? 1 : 0) + (step.isDoubted ? 2 : 0))
  }
}

/// Reads what the writer wrote; each answer is `nil` where the bytes do not hold it.
private struct ArchiveReader {
  /// What was read, where that may be nothing.
  struct Read<Value> { var value: Value }

  private(set) var bytes: ArraySlice<UInt8>

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func int() -> Int? {
    guard bytes.count >= 8 else { return nil }
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() { value |= UInt64(byte) << (8 * index) }
    bytes.removeFirst(8)
    return Int(truncatingIfNeeded: value)
  }

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

  mutating func string() -> Read<String?>? {
    guard let isThere = int() else { return nil }
    if isThere == 0 { return Read(value: nil) }
    guard let text = bytesField(), let string = String(validating: text, as: UTF8.self)
    else { return nil }
    return Read(value: string)
  }

  mutating func snapshot() -> Read<Snapshot?>? {
    guard let isThere = int() else { return nil }
    if isThere == 0 { return Read(value: nil) }
    guard let before = string(), let selected = string(), let after = string(),
      let hasText = flag(), let hasCaret = int(), let caret = int(), let selectionShown = flag()
    else { return nil }
    return Read(
      value: Snapshot(
        before: before.value, selected: selected.value, after: after.value,
        hasText: hasText.value, caret: hasCaret == 0 ? nil : caret,
        selectionShown: selectionShown.value))
  }

  mutating func flag() -> Read<Bool?>? {
    int().map { Read(value: $0 == 0 ? nil : $0 == 2) }
  }

  mutating func memory(limit: Int) -> Memory? {
    guard let isThere = int(), let text = bytesField(), let caret = offset(),
      let selected = offset(), let origin = offset(), let left = int(), let right = int(),
      let isDoubtful = int(),
      let hasSeam = int(), let seam = offset(), let seamWeight = int(), seamWeight <= 0
    else { return nil }
    if isThere == 0 { return Memory(limit: limit) }
    let start = caret &- origin
    guard let leftEdge = UInt8(exactly: left).flatMap(Edge.init),
      let rightEdge = UInt8(exactly: right).flatMap(Edge.init), start >= 0, selected >= 0,
      start <= text.count, selected <= text.count - start,
      String(validating: text, as: UTF8.self) != nil,
      text.startsScalar(at: start), text.startsScalar(at: start + selected)
    else { return nil }
    return Memory(
      limit: limit, text: text, caret: start, selecting: selected, origin: origin,
      leftEdge: leftEdge, rightEdge: rightEdge, isDoubtful: isDoubtful != 0,
      seam: hasSeam == 0 ? nil : (seam, Double(seamWeight) / 1_000))
  }

  mutating func history() -> History? {
    guard let done = steps(), let undone = steps() else { return nil }
    return History(done: done, undone: undone)
  }

  mutating func pasts() -> [Beam.Past]? {
    list { reader in
      guard let history = reader.history(), let last = reader.int(), (0...2).contains(last),
        let weight = reader.int(), weight <= 0
      else { return nil }
      return Beam.Past(
        history: history, last: last == 0 ? nil : last == 1 ? .undo : .redo,
        weight: Double(weight) / 1_000)
    }
  }

  mutating func stretches(limit: Int) -> [Stretches.Stretch]? {
    list { reader in
      guard let memory = reader.memory(limit: limit), let history = reader.history()
      else { return nil }
      return Stretches.Stretch(memory: memory, history: history)
    }
  }

  private mutating func steps() -> [History.Step]? {
    list { reader in
      guard let position = reader.offset(), let removed = reader.bytesField(),
        let inserted = reader.bytesField(), let caret = reader.offset(),
        let selected = reader.offset(), let end = reader.byte().flatMap(History.End.init),
        let bond = reader.byte().flatMap(History.Bond.init),
        let deed = reader.byte().flatMap(History.Deed.init), let lastEdit = reader.offset(),
        let composed = reader.int(), composed <= inserted.count,
        let breaks = reader.list(of: { $0.int() }),
        breaks.allSatisfy({ $0 >= 0 && $0 <= inserted.count }),
        let endSelected = reader.int(), endSelected >= 0, endSelected <= inserted.count,
        let flags = reader.int()
      else { return nil }
      return History.Step(
        position: position, removed: removed, inserted: inserted, caret: caret,
        selected: selected, end: end, bond: bond, deed: deed, lastEdit: lastEdit,
        composed: composed < 0 ? nil : composed, breaks: breaks, isWhole: flags & 1 != 0,
        isDoubted: flags & 2 != 0, endSelected: endSelected)
    }
  }

  mutating func expectedEdits() -> ExpectedEdits? {
    let entries: [ExpectedEdits.Entry]? = list { reader in
      guard let number = reader.int(), let flags = reader.int(), let old = reader.texts(),
        let new = reader.texts(), !old.isEmpty, !new.isEmpty
      else { return nil }
      return ExpectedEdits.Entry(
        number: number, old: old, new: new, followsLast: flags & 1 != 0,
        isReached: flags & 2 != 0)
    }
    guard let entries, let nextNumber = int(), nextNumber > 0,
      let unfulfilled = list(of: { $0.int() }), let passed = texts()
    else { return nil }
    return ExpectedEdits(
      entries: entries, nextNumber: nextNumber, unfulfilled: unfulfilled, passed: passed)
  }

  private mutating func texts() -> [AnnouncedText]? {
    list { reader in
      guard let left = reader.scalars(), let selected = reader.scalars(),
        let right = reader.scalars(), let lostLeft = reader.bytesField(),
        let lostRight = reader.bytesField(), let beyondLeft = reader.length(),
        let beyondRight = reader.length(), let selectedCount = reader.length(),
        let shownLeft = reader.length(), let shownRight = reader.length(),
        let scalars = reader.offset(), let utf16 = reader.offset(), let reaches = reader.int(),
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

  private mutating func length() -> Int? { offset().flatMap { $0 < 0 ? nil : $0 } }

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
