extension Session {
  /// Announces the edit between two snapshots.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - new: Where it leads.
  /// - Returns: The edit's number: `Transition.expected` and `unfulfilled` name it by that. The first
  ///   of a session is 1, each further one by one higher.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins.
  /// - Complexity: Linear in the length of the snapshots given, whatever the session holds.
  @discardableResult
  public mutating func expect(old: Snapshot? = nil, new: Snapshot) throws(ExpectError) -> Int {
    let start = try start(at: old)
    let text = new.lend { new in
      var text = AnnouncedText(new, window: window)
      if let old {
        old.lend { text.measureShift(from: $0, to: new) }
      } else if !start.followsLast, let latest = kept?.fields {
        text.measureShift(from: latest, to: new)
      } else {
        // `last` holds no more than `reach` bytes left of its caret: only that much is compared.
        let last = start.texts[0]
        last.lend {
          text.measureShift(from: $0, to: new.trimmed(left: last.left.unknown, right: 0))
        }
      }
      return text
    }
    return expected.add([text], from: start)
  }

  /// Announces an edit at the caret.
  ///
  /// What is selected goes first if the edit takes away or puts in anything; in graphemes and presses
  /// of a key it stands for the first one that is to be taken away. Then goes what is left and right
  /// of the caret, in the edit's unit, a scalar as a whole; then the new text comes; then the caret
  /// moves. An edit that reaches beyond the text that is known is expected as far as that goes. Where
  /// the unit is `backspace`, each press takes the same: the last scalar, that with a joiner before it,
  /// the last one that is no mark with its marks, an emoji whole and else a scalar, or the whole
  /// cluster, whichever is the host's rule.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`, of
  ///     which 4,096 bytes on either side of the caret are looked at.
  ///   - edit: The edit.
  ///   - classifier: What says where sentences end.
  /// - Returns: The edit's number, as that of an edit announced by its snapshots.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins,
  ///   `ExpectError.invalidEdit` where a count is negative or the edit is empty.
  /// - Complexity: Linear in the length of what is given, whatever the session holds.
  @discardableResult
  public mutating func expect(old: Snapshot? = nil, edit: Edit, with classifier: Classifier)
    throws(ExpectError) -> Int
  {
    guard edit.isValid else { throw .invalidEdit }
    let start = try start(at: old)
    var texts: [AnnouncedText] = []
    var counted = UnitLengths.Counted()
    var made: [AnnouncedText] = start.followsLast ? start.texts : []
    made.replaceEach { $0.applying(edit, counted: &counted) }
    for window in announcedWindows(first: window) {
      if !start.followsLast {
        made = [old.lend { knownText(at: $0, window: window, isWhole: true) }]
        made.replaceEach { $0.applying(edit, counted: &counted) }
      }
      for text in made where texts.count < AnnouncedText.alternatives {
        let text = text.cut(by: window, terminators: classifier.terminators)
        if !texts.contains(text) { texts.append(text) }
      }
    }
    return expected.add(texts, from: start, as: edit)
  }

  /// Has the next edit that is announced get `number`, as it had in a session that is gone through again; where that
  /// was given already, the next one.
  package mutating func countAnnouncements(from number: Int) {
    expected.countOn(from: number)
  }

  /// The windows by which the host may show an announced edit, `window` first.
  ///
  /// Where none was given as evidence they are all, for the pairs so far may look the same by several; where `full`
  /// was, `line` is one too.
  func announcedWindows(first window: Window) -> [Window] {
    let others: [Window] =
      toldWindow == nil ? Window.allCases : toldWindow == .full ? [.full, .line] : []
    return [window] + others.filter { $0 != window }
  }

  /// Takes back an announced edit, and those announced on top of it, as far as they still wait.
  ///
  /// - Parameter number: What `expect` returned for it.
  /// - Throws: `NoSuchExpectation` where no edit of that number waits.
  public mutating func withdraw(_ number: Int) throws(NoSuchExpectation) {
    guard expected.withdraw(number) else { throw NoSuchExpectation(number: number) }
  }

  /// Where an edit begins that is announced at `old`, or after the edits announced so far.
  private func start(at old: Snapshot?) throws(ExpectError) -> ExpectedEdits.Start {
    let latest = kept?.fields
    if let old {
      return old.lend { old in
        ExpectedEdits.Start(
          texts: [AnnouncedText(old, window: window)], followsLast: expected.leads(to: old),
          isReached: latest.map { $0.showsSameTexts(as: old) } ?? false)
      }
    }
    if let end = expected.end(from: latest) {
      return ExpectedEdits.Start(texts: end, followsLast: true, isReached: false)
    }
    guard let latest else { throw .noBaseline }
    return ExpectedEdits.Start(
      texts: [AnnouncedText(latest, window: window)], followsLast: false, isReached: true)
  }

  /// The text around the caret of `old`, or of `latest` if that is `nil`, for a host with that window.
  ///
  /// It is the memory's where that is current, else the snapshot's. With `isWhole` all of `old` is taken, however long
  /// it is.
  func knownText(at old: Fields?, window: Window, isWhole: Bool = false) -> AnnouncedText {
    let latest = kept?.fields
    if kept?.isStart(of: old) ?? false, window == self.window, let latest,
      memory.isReliable(around: latest)
    {
      return AnnouncedText(memory.known(around: latest))
    }
    return AnnouncedText(old ?? latest ?? .hidden, window: window, isWhole: isWhole && old != nil)
  }
}

extension Edit {
  /// Whether it is an edit: no count is negative, and it does something.
  package var isValid: Bool {
    deleteBackward >= 0 && deleteForward >= 0
      && (changesText || moveCaret != 0)
  }

  /// Whether it inserts text and deletes none.
  var isInsertion: Bool { !insert.isEmpty && deleteBackward == 0 && deleteForward == 0 }

  /// Whether it inserts or deletes text.
  var changesText: Bool { !insert.isEmpty || deleteBackward > 0 || deleteForward > 0 }
}
