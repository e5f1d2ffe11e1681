// The parts of a session, in the order in which they are written.

extension ArchiveCoder {
  mutating func snapshot(_ snapshot: Snapshot?) throws -> Snapshot {
    try Snapshot(
      before: optional(snapshot?.before) { try $0.string($1) },
      selected: optional(snapshot?.selected) { try $0.string($1) },
      after: optional(snapshot?.after) { try $0.string($1) },
      hasText: optional(snapshot?.hasText) { try $0.bool($1) },
      caret: optional(snapshot?.caret) { try $0.int($1) },
      selectionShown: optional(snapshot?.selectionShown) { try $0.bool($1) })
  }

  mutating func windowBelief(_ belief: WindowBelief) throws -> WindowBelief {
    var bits = belief.bits
    for index in bits.indices { bits[index] = try self.bits(bits[index]) }
    return try WindowBelief(
      bits: bits, pairs: length(belief.pairs), tellingPairs: length(belief.tellingPairs),
      isOneSentence: bool(belief.isOneSentence), showsSelections: bool(belief.showsSelections),
      told: optional(belief.told) { try $0.name($1) }, window: name(belief.window))
  }

  mutating func causeBelief(_ belief: CauseBelief) throws -> CauseBelief {
    try CauseBelief(others: length(belief.others), inputMethods: length(belief.inputMethods))
  }

  mutating func groupingBelief(_ belief: GroupingBelief) throws -> GroupingBelief {
    var bits = belief.bits
    for index in bits.indices { bits[index] = try self.bits(bits[index]) }
    return GroupingBelief(bits: bits)
  }

  mutating func trail(_ trail: Trail) throws -> Trail {
    let steps = try list((0..<trail.count).reversed().map { trail[$0] }) { coder, step in
      var made = try Trail.Step(state: coder.word(step?.state), kind: coder.name(step?.kind))
      (made.isDoubted, made.namesDeletion, _) = try coder.bools(
        step?.isDoubted, step?.namesDeletion)
      made.mayBeRetraced = try coder.bool(step?.mayBeRetraced)
      made.namesRetraced = try coder.bool(step?.namesRetraced)
      return made
    }
    try check(steps.count <= Trail.length)
    var trail = Trail()
    for step in steps { trail.note(step) }
    return trail
  }

  /// A memory; one that is read holds at most `limit` bytes.
  mutating func memory(_ memory: Memory?, limit: Int) throws -> Memory {
    if try bool(memory?.isEmpty) { return Memory(limit: limit) }
    let text = try scalars(memory?.text)
    let caret = try offset(memory?.caret)
    let selected = try length(memory?.selectedCount)
    let origin = try offset(memory?.origin)
    let start = caret - origin
    try check(start >= 0 && start <= text.count && selected <= text.count - start)
    try check(text.startsScalar(at: start) && text.startsScalar(at: start + selected))
    let (leftEdge, rightEdge) = try (tag(memory?.leftEdge), tag(memory?.rightEdge))
    let isDoubtful = try bool(memory?.isDoubtful)
    let seam = try optional(memory?.seam?.position) { try $0.offset($1) }
    let seamWeight = try weight(memory?.seam?.weight)
    return Memory(
      limit: limit, text: text, caret: start, selecting: selected, origin: origin,
      leftEdge: leftEdge, rightEdge: rightEdge, isDoubtful: isDoubtful,
      seam: seam.map { ($0, seamWeight) })
  }

  mutating func beam(_ beam: Beam) throws -> Beam {
    let pasts = try list(beam.pasts) { coder, past in
      let past = try Beam.Past(
        history: coder.history(past?.history),
        lastRetracing: coder.optional(past?.lastRetracing) { try $0.name($1) },
        weight: coder.weight(past?.weight))
      try coder.check([nil, .undo, .redo].contains(past.lastRetracing) && past.weight.isFinite)
      return past
    }
    return try unwrap(Beam(pasts))
  }

  mutating func stretches(_ stretches: Stretches, limit: Int) throws -> Stretches {
    var made = try Stretches(
      stretches: list(stretches.stretches) { coder, stretch in
        try Stretches.Stretch(
          memory: coder.memory(stretch?.memory, limit: limit),
          history: coder.history(stretch?.history))
      },
      hasEdits: bool(stretches.hasEdits))
    // The archive may come from a session with a higher limit.
    made.trim(to: limit)
    return made
  }

  mutating func clips(_ clips: Clips) throws -> Clips {
    try unwrap(Clips(data(Array(clips.texts))))
  }

  private mutating func history(_ history: History?) throws -> History {
    try History(
      done: list(history?.done) { try $0.step($1) },
      undone: list(history?.undone) { try $0.step($1) })
  }

  private mutating func step(_ step: History.Step?) throws -> History.Step {
    var made = try History.Step(
      position: offset(step?.position), removed: scalars(step?.removed),
      inserted: scalars(step?.inserted), caret: offset(step?.caret),
      selected: length(step?.selected), end: tag(step?.end), bond: tag(step?.bond),
      lastEditType: tag(step?.lastEditType), lastEditLength: offset(step?.lastEditLength),
      composed: optional(step?.composed) { try $0.length($1) },
      breaks: list(step?.breaks) { try $0.length($1) }, endSelected: length(step?.endSelected))
    (made.isWhole, made.isDoubted, _) = try bools(step?.isWhole, step?.isDoubted)
    let places = made.breaks + [made.composed ?? 0, made.endSelected]
    try check(places.allSatisfy { $0 <= made.inserted.count })
    return made
  }

  mutating func expectedEdits(_ expected: ExpectedEdits) throws -> ExpectedEdits {
    let announcements = try list(expected.announcements) { try $0.announcement($1) }
    let nextNumber = try length(expected.nextNumber)
    try check(announcements.count <= ExpectedEdits.capacity && nextNumber > 0)
    return try ExpectedEdits(
      announcements: announcements, nextNumber: nextNumber,
      unfulfilled: list(expected.unfulfilled) { try $0.length($1) },
      passed: list(expected.passed) { try $0.text($1) })
  }

  private mutating func announcement(_ announcement: ExpectedEdits.Announcement?) throws
    -> ExpectedEdits.Announcement
  {
    let number = try length(announcement?.number)
    let (followsLast, isReached, _) = try bools(announcement?.followsLast, announcement?.isReached)
    let old = try list(announcement?.old) { try $0.text($1) }
    let new = try list(announcement?.new) { try $0.text($1) }
    try check(!old.isEmpty && !new.isEmpty)
    return try ExpectedEdits.Announcement(
      number: number, old: old, new: new, edit: optional(announcement?.edit) { try $0.edit($1) },
      followsLast: followsLast, isReached: isReached)
  }

  private mutating func edit(_ edit: Edit?) throws -> Edit {
    let made = try Edit(
      insert: string(edit?.insert), deleteBackward: int(edit?.deleteBackward),
      deleteForward: int(edit?.deleteForward), moveCaret: int(edit?.moveCaret),
      unit: name(edit?.unit))
    try check(made.isValid)
    return made
  }

  private mutating func text(_ text: AnnouncedText?) throws -> AnnouncedText {
    var left = try AnnouncedText.Side(text: scalars(text?.left.text), shown: 0)
    let selected = try scalars(text?.selected)
    var right = try AnnouncedText.Side(text: scalars(text?.right.text), shown: 0)
    (left.lost, right.lost) = try (data(text?.left.lost), data(text?.right.lost))
    (left.beyond, right.beyond) = try (length(text?.left.beyond), length(text?.right.beyond))
    let selectedCount = try length(text?.selectedCount)
    (left.shown, right.shown) = try (length(text?.left.shown), length(text?.right.shown))
    let shift = try AnnouncedText.Shift(
      scalars: offset(text?.shift.scalars), utf16: offset(text?.shift.utf16))
    let leavesKnown: Bool
    (left.isExceeded, right.isExceeded, leavesKnown) = try bools(
      text?.left.isExceeded, text?.right.isExceeded, text?.leavesKnown)
    // A selection is kept whole, or both its ends are.
    try check(selectedCount == selected.count || selected.count >= AnnouncedText.sideLimit)
    try check(left.shown <= left.text.count && right.shown <= right.text.count)
    try check(left.text.startsScalar(at: left.text.count - left.shown))
    try check(right.text.startsScalar(at: right.shown))
    // `unchanged` is asked only of the text that an edit has just been applied to.
    return AnnouncedText(
      left: left, selected: selected, selectedCount: selectedCount, right: right, shift: shift,
      leavesKnown: leavesKnown)
  }
}

extension [UInt8] {
  /// Whether a scalar of this text begins at `offset`, or the text ends there.
  fileprivate func startsScalar(at offset: Int) -> Bool {
    offset == count || !Bytes.isContinuation(self[offset])
  }
}
