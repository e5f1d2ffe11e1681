/// Integers as eight bytes, the least first; texts behind their length.
struct ArchiveWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func write(_ text: [UInt8]) {
    write(text.count)
    bytes.append(contentsOf: text)
  }

  mutating func write(_ flag: Bool) { write(flag ? 1 : 0) }

  mutating func write(_ value: Int) { write(UInt64(truncatingIfNeeded: value)) }

  /// Whole: sums of weights decide what is read, and go on as they were.
  mutating func write(_ weight: Double) { write(weight.bitPattern) }

  mutating func write(_ name: some RawRepresentable<String>) { write(Array(name.rawValue.utf8)) }

  /// Whether there is one, and it.
  private mutating func write<Value>(
    _ value: Value?, by write: (inout ArchiveWriter, Value) -> Void
  ) {
    self.write(value != nil)
    if let value { write(&self, value) }
  }

  mutating func write(_ text: String?) { write(text) { $0.write(Array($1.utf8)) } }
  mutating func write(_ flag: Bool?) { write(flag) { $0.write($1) } }
  mutating func write(_ value: Int?) { write(value) { $0.write($1) } }
  mutating func write(_ value: UInt64?) { write(value) { $0.write($1) } }
  mutating func write<Name: RawRepresentable<String>>(_ name: Name?) {
    write(name) { $0.write($1) }
  }

  mutating func write(_ snapshot: Snapshot?) {
    write(snapshot) { writer, snapshot in
      for field in [snapshot.before, snapshot.selected, snapshot.after] { writer.write(field) }
      writer.write(snapshot.hasText)
      writer.write(snapshot.caret)
      writer.write(snapshot.selectionShown)
    }
  }

  mutating func write(_ belief: WindowBelief) {
    for index in belief.bits.indices { write(belief.bits[index]) }
    write(belief.pairs)
    write(belief.tellingPairs)
    write(belief.isOneSentence)
    write(belief.showsSelections)
    write(belief.told)
    write(belief.window)
  }

  mutating func write(_ belief: CauseBelief) {
    write(belief.others)
    write(belief.inputMethods)
  }

  mutating func write(_ belief: GroupingBelief) {
    for index in belief.bits.indices { write(belief.bits[index]) }
  }

  mutating func write(_ trail: Trail) {
    write(trail.count)
    for distance in (0..<trail.count).reversed() {
      write(trail[distance].state)
      write(trail[distance].kind)
      write(trail[distance].isDoubted)
      write(trail[distance].mayBeRetraced)
      write(trail[distance].namesRetraced)
    }
  }

  mutating func write(_ memory: Memory) {
    write(memory.isEmpty)
    if memory.isEmpty { return }
    write(memory.text)
    for value in [memory.caret, memory.selectedCount, memory.origin] { write(value) }
    write(Int(memory.leftEdge.rawValue))
    write(Int(memory.rightEdge.rawValue))
    write(memory.isDoubtful)
    write(memory.seam)
    write(memory.seam == nil ? 0 : memory.seamWeight)
  }

  mutating func write(_ past: Beam.Past) {
    write(past.history)
    write(past.last)
    write(past.weight)
  }

  mutating func write(_ stretches: Stretches) {
    write(stretches.stretches.count)
    for stretch in stretches.stretches {
      write(stretch.memory)
      write(stretch.history)
    }
    write(stretches.hasEdits)
  }

  mutating func write(_ expected: ExpectedEdits) {
    write(expected.entries.count)
    for entry in expected.entries {
      write(entry.number)
      write((entry.followsLast ? 1 : 0) + (entry.isReached ? 2 : 0))
      write(entry.old)
      write(entry.new)
      write(entry.edit) { $0.write($1) }
    }
    write(expected.nextNumber)
    write(expected.unfulfilled.count)
    for number in expected.unfulfilled { write(number) }
    write(expected.passed)
  }

  private mutating func write(_ edit: Edit) {
    write(Array(edit.insert.utf8))
    for count in [edit.deleteBackward, edit.deleteForward, edit.moveCaret] { write(count) }
    write(edit.unit)
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
    write(step.composed)
    write(step.breaks.count)
    for offset in step.breaks { write(offset) }
    write(step.endSelected)
    write((step.isWhole ? 1 : 0) + (step.isDoubted ? 2 : 0))
  }
}
