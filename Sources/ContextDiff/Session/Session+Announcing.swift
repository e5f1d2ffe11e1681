extension Session {
  /// Announces the edit between two snapshots.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - new: Where it leads.
  /// - Returns: The edit's number: `Transition.expected` and `unfulfilled` name it by that. The first
  ///   of a session is 1, each further one by one higher.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins.
  @discardableResult
  public mutating func expect(old: Snapshot? = nil, new: Snapshot) throws(ExpectError) -> Int {
    guard let old = old ?? announcedEnd ?? latest else { throw .noBaseline }
    defer { countHeldBytes() }
    return expected.add(old: old, new: new)
  }

  /// Announces an edit at the caret.
  ///
  /// What is selected goes first if the edit takes away or puts in anything, in place of the first
  /// cluster that is to be taken away; then what is left and right of the caret, by grapheme
  /// clusters; then the new text comes; then the caret moves. An edit that reaches beyond the text
  /// that is known is expected as far as that goes.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - edit: The edit.
  ///   - classifier: What says where sentences end.
  /// - Returns: The edit's number, as that of an edit announced by its snapshots.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins,
  ///   `ExpectError.invalidEdit` where a count is negative or the edit is empty.
  @discardableResult
  public mutating func expect(old: Snapshot? = nil, edit: Edit, with classifier: Classifier)
    throws(ExpectError) -> Int
  {
    guard edit.isValid else { throw .invalidEdit }
    let end = old == nil ? announcedEnd : nil
    guard let start = old ?? end ?? latest else { throw .noBaseline }
    var text = text(at: start, isChained: end != nil, with: classifier)
    text.make(edit)
    defer { countHeldBytes() }
    return expected.add(
      old: start, new: text.snapshot(window: window, terminators: classifier.terminators),
      isOpenLeft: text.reachesLeft, isOpenRight: text.reachesRight, text: text)
  }

  /// Takes back an announced edit, and those announced on top of it, as far as they still wait.
  ///
  /// - Parameter number: What `expect` returned for it.
  /// - Throws: `NoSuchExpectation` where no edit of that number waits.
  public mutating func withdraw(_ number: Int) throws(NoSuchExpectation) {
    guard expected.withdraw(number) else { throw NoSuchExpectation(number: number) }
    countHeldBytes()
  }

  /// Where the edits announced so far lead; `nil` where they begin somewhere else than the session
  /// is now.
  private var announcedEnd: Snapshot? {
    guard let kept else { return expected.end }
    return expected.end(from: kept.fields)
  }

  /// The text that is known around the caret of `start`.
  private func text(
    at start: Snapshot, isChained: Bool, with classifier: Classifier
  ) -> EditedText {
    if isChained, let text = expected.endText { return text }
    if memory.isReliable, !isChained, start.lend(to: { isCurrent($0, window: window) }) {
      return start.lend { fields in
        guard memory.holds(fields) else { return EditedText(start, window: window) }
        return EditedText(memory.known(around: fields))
      }
    }
    return EditedText(start, window: window)
  }
}
