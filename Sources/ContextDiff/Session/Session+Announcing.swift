extension Session {
  /// Announces the edit between two snapshots.
  ///
  /// Where the two are cut at the same places, and `new` selects nothing, they announce the edit at the caret that they
  /// show, as `expect(old:edit:with:)` does, in scalars.
  ///
  /// Where it is announced with `old` before the first post, give that post `old` too: without it the post only sets
  /// the baseline, and an edit that it shows is never named.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`.
  ///   - new: Where it leads.
  ///   - classifier: It knows where sentences end.
  /// - Returns: The edit's number, by which `Transition.expected` and `unfulfilled` name it: 1 for a
  ///   session's first edit, one more for each further one. At most 32 wait: one more, and the oldest is
  ///   unfulfilled.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins.
  /// - Complexity: Linear in the length of the snapshots given, and of `latest` where the edit begins there.
  @discardableResult
  public mutating func expect(
    old: Snapshot? = nil, new: Snapshot, with classifier: Classifier = Classifier()
  ) throws(ExpectError) -> Int {
    let start = try start(at: old)
    return new.lend { new in
      var text = AnnouncedText(new, window: window)
      var edit: Edit?
      func compare(_ old: Fields, _ new: Fields) {
        text.measureShift(from: old, to: new)
        edit = Edit(
          from: old, to: new, window: window, terminators: classifier.terminators)
      }
      if let old {
        old.lend { compare($0, new) }
      } else if !start.followsLast, let latest = kept?.fields {
        compare(latest, new)
      } else {
        // `last` holds no more than `AnnouncedText.sideLimit` bytes on either side of its caret: only that much is compared.
        let last = start.texts[0]
        last.lend {
          compare($0, new.trimmed(left: last.left.unknown, right: last.right.unknown))
        }
      }
      return expected.add([text], from: start, as: start.texts.count == 1 ? edit : nil)
    }
  }

  /// Announces an edit at the caret.
  ///
  /// First the selection is removed, if the edit removes or inserts anything; in graphemes and presses
  /// of a key it counts as the first one to be removed. Then text left and right of the caret is
  /// removed, a scalar only as a whole; then the new text is inserted; then the caret moves. A
  /// selection that is still there is given up by it, and the caret starts from its end on that side. An edit
  /// that reaches beyond the known text is expected as far as that text goes. In presses of a key, each
  /// follows the host's rule, whichever it is: the last scalar; this and a joiner before it; the last
  /// scalar that is no mark, with its marks; an emoji whole, else a scalar; or the whole cluster.
  ///
  /// Before the first post it is as with `expect(old:new:with:)`.
  ///
  /// - Parameters:
  ///   - old: Where the edit begins; by default where the edits announced so far lead, or `latest`, of
  ///     which 4,096 bytes on either side of the caret are looked at.
  ///   - edit: The edit.
  ///   - classifier: It knows where sentences end.
  /// - Returns: The edit's number, as `expect(old:new:with:)` gives it.
  /// - Throws: `ExpectError.noBaseline` where nothing says where the edit begins,
  ///   `ExpectError.invalidEdit` where `deleteBackward` or `deleteForward` is negative, or the edit does nothing.
  /// - Complexity: Linear in the length of what is given, whatever the session holds.
  @discardableResult
  public mutating func expect(old: Snapshot? = nil, edit: Edit, with classifier: Classifier)
    throws(ExpectError) -> Int
  {
    guard edit.isValid else { throw .invalidEdit }
    let start = try start(at: old)
    var texts: [AnnouncedText] = []
    let counted = UnitLengths.Counted()
    var made: [AnnouncedText] = start.followsLast ? start.texts : []
    made.replaceEach { $0.applying(edit, counted: counted) }
    for window in announcedWindows(first: window) {
      if !start.followsLast {
        made = [old.lend { knownText(at: $0, window: window, isWhole: true) }]
        made.replaceEach { $0.applying(edit, counted: counted) }
      }
      for text in made where texts.count < AnnouncedText.alternatives {
        let text = text.cut(by: window, terminators: classifier.terminators)
        if !texts.contains(text) { texts.append(text) }
      }
    }
    return expected.add(texts, from: start, as: edit)
  }

  /// Makes `number` that of the next edit announced, as it was in the session that is being replayed, unless as high a
  /// number was given already.
  package mutating func countAnnouncements(from number: Int) {
    expected.countOn(from: number)
  }

  /// The windows by which the host may show an announced edit, `window` first.
  ///
  /// If none was given as evidence, these are all windows, for the pairs so far may look the same by several; if `full`
  /// was, `line` is one, too, unless the host was seen to show several lines.
  func announcedWindows(first window: Window) -> [Window] {
    let others: [Window] =
      switch toldWindow {
      case nil: Window.allCases
      case .full: windowBelief.admitsLine ? [.full, .line] : [.full]
      case .sentence, .paragraph, .line: []
      }
    return [window] + others.filter { $0 != window }
  }

  /// Takes back an announced edit that waits, and those announced on top of it.
  ///
  /// - Parameter number: What `expect` returned for it.
  /// - Throws: `NoSuchExpectation` where no edit of that number waits.
  public mutating func withdraw(_ number: Int) throws(NoSuchExpectation) {
    guard expected.withdraw(number) else { throw NoSuchExpectation(number: number) }
  }

  /// Where the edit begins that is announced at `old`, or, without `old`, after the edits announced so far.
  private func start(at old: Snapshot?) throws(ExpectError) -> ExpectedEdits.Start {
    let latest = kept?.fields
    if let old {
      return old.lend { old in
        ExpectedEdits.Start(
          texts: [AnnouncedText(old, window: window)],
          followsLast: expected.announcements.last?.new.contains(old) ?? false,
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
  /// It is the memory's text if the memory is current, else the snapshot's. With `isWhole` all of `old` is taken,
  /// however long it is.
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
