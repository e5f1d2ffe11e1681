#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// The steps of a history: what goes in one, and what an undo takes back.
  @Suite struct HistoryTests {
    private func record(
      _ history: inout History, at position: Int, _ removed: String, _ inserted: String
    ) {
      removed.withBytes { removed in
        inserted.withBytes { inserted in
          history.record(
            History.Entry(
              position: position, removed: removed, inserted: inserted,
              caret: position + removed.count, selected: 0))
        }
      }
    }

    @Test("What is typed goes in one step, until the caret goes elsewhere")
    func typing() {
      var history = History()
      for (index, letter) in ["a", "b", "c"].enumerated() {
        record(&history, at: index, "", letter)
      }
      #expect(history.done.count == 1)
      #expect(history.done.last?.inserted == Array("abc".utf8))
      history.endRun()
      record(&history, at: 3, "", "d")
      #expect(history.done.count == 2)
      #expect(history.byteCount == 4)
    }

    @Test("What is erased goes in one step, and is none with what was typed before")
    func erasing() {
      var history = History()
      record(&history, at: 0, "", "a")
      record(&history, at: 1, "", "b")
      record(&history, at: 1, "b", "")
      record(&history, at: 0, "a", "")
      #expect(history.done.count == 2)
      #expect(history.done.last?.removed == Array("ab".utf8))
      #expect(history.isErasing(at: 0))
      #expect(!history.isErasing(at: 1))
    }

    @Test(
      "A host that takes each edit back is known by two, and one that takes runs by one or two more"
    )
    func grouping() {
      let (run, edit) = (GroupingBelief.Part(isRun: true), GroupingBelief.Part(isEdit: true))
      var belief = GroupingBelief()
      #expect(belief.weight(of: run) == 0)
      #expect(belief.weight(of: edit) == Measured.undoPart)
      for _ in 0..<2 { belief.observe(edit) }
      #expect(belief.weight(of: edit) == 0)
      #expect(belief.weight(of: run) < 0)
      for _ in 0..<2 { belief.observe(run) }
      #expect(belief.weight(of: run) == 0)
      // However long it went one way, a few steps show the other.
      for _ in 0..<1_000 { belief.observe(run) }
      for _ in 0..<4 { belief.observe(edit) }
      #expect(belief.weight(of: edit) == 0)
      // A word may be a run of its own, and tells neither from the other.
      var other = GroupingBelief()
      other.observe(GroupingBelief.Part(isRun: true, isWord: true))
      #expect(other.bits[0] == 0 && other.bits[1] == Measured.groupsLess)
    }

    @Test("A session that took edits back one by one, by a key, names an undo where a letter goes")
    func groupingLearnt() {
      var session = Session()
      func post(_ before: String, _ key: Key? = nil) -> Transition? {
        session.post(
          new: Snapshot(before: before, after: " and more of it"),
          evidence: Evidence(window: .full, key: key), with: Classifier())
      }
      for text in ["It was so", "It was soo", "It was soon"] { _ = post(text) }
      for text in ["It was soo", "It was so"] { #expect(post(text, .undo)?.kind == .undo) }
      for text in ["It was sol", "It was sold"] { _ = post(text) }
      #expect(post("It was sol")?.alternatives.contains(.undo) == true)
    }

    @Test("A history keeps as many steps and as much text as it may")
    func limits() {
      var history = History()
      for index in 0..<300 {
        record(&history, at: index, "", "x")
        history.endRun()
      }
      #expect(history.done.count == History.stepLimit)
      let long = String(repeating: "y", count: History.byteLimit)
      record(&history, at: 300, "", long)
      #expect(history.byteCount <= History.byteLimit)
      history.forget()
      #expect(history.isEmpty && history.byteCount == 0)
    }

    @Test("What was undone in an earlier history is not taken in, nor counted")
    func prepending() {
      var earlier = History()
      record(&earlier, at: 0, "", "a")
      earlier.endRun()
      record(&earlier, at: 1, "", "b")
      earlier = History(done: Array(earlier.done.prefix(1)), undone: Array(earlier.done.suffix(1)))
      #expect(earlier.byteCount == 2)
      var history = History()
      history.prepend(earlier, shiftedBy: 3)
      #expect(history.done.map(\.position) == [3] && history.undone.isEmpty)
      #expect(history.byteCount == 1)
    }

    @Test("An earlier history is moved with its carets, and nothing goes on with its steps")
    func prependingSteps() {
      var earlier = History()
      record(&earlier, at: 0, "", "a")
      var history = History()
      history.prepend(earlier, shiftedBy: 3)
      #expect(history.done.map(\.caret) == [3])
      #expect(history.done.map(\.end) == [.closed])
    }

    @Test("What was put in for other text and undone by itself is redone by itself, or with it")
    func exchangeUndoneByHalves() {
      let change = "ab".withBytes {
        TextChange(from: Joined($0), to: Joined($0), start: 0, sameEnd: 0)
      }
      var history = History()
      record(&history, at: 0, "ab", "x")
      history.retrace(
        Way(kind: .undo, rest: 1, change: change, caret: 0, weight: 0))
      #expect(history.undone.map(\.bond) == [.loose])
      history.retrace(
        Way(kind: .redo, steps: 1, change: change, caret: 0, weight: 0))
      #expect(history.done.map(\.bond) == [.none, .none])
    }

    @Test("The character left of what was erased is found through what came before both")
    func characterLeftOfErased() {
      var history = History()
      for (position, letter) in [(0, "a"), (1, "b"), (0, "x")] {
        record(&history, at: position, "", letter)
        history.endRun()
      }
      record(&history, at: 2, "b", "")
      #expect(history.lastByteLeft == UInt8(ascii: "a"))
    }

    @Test("Syllables of Hangul go on in the step in which the first was composed")
    func composedHangul() {
      var history = History()
      record(&history, at: 0, "", "ㅎ")
      record(&history, at: 0, "ㅎ", "하")
      record(&history, at: 3, "", "ㄴ")
      #expect(history.done.count == 1)
    }

    @Test("Where a conversion takes two compositions together, no break is left between them")
    func breaksConverted() {
      var history = History()
      record(&history, at: 0, "", "k")
      record(&history, at: 0, "k", "か")
      history.done[0].end = .open
      record(&history, at: 3, "", "き")
      #expect(history.done.last?.breaks == [3])
      record(&history, at: 0, "かき", "柿")
      #expect(history.done.last?.inserted == Array("柿".utf8))
      #expect(history.done.last?.breaks == [])
    }

    @Test("On an empty last line the second edit may go in a step of its own")
    func emptyLastLine() {
      var history = History()
      "ab".withBytes { text in
        for place in 0...1 {
          history.record(
            History.Entry(
              position: place, removed: .empty, inserted: text.dropFirst(place).prefix(1),
              caret: place, selected: 0, isOnEmptyLastLine: place == 0))
        }
      }
      #expect(history.done.map(\.bond) == [.none, .loose])
    }

    @Test("What a redo selects goes with the end of a step that is split")
    func selectionOfASplitStep() {
      var step = History.Step(
        position: 0, removed: [], inserted: Array("abcdef".utf8), caret: 0, end: .closed,
        lastEditType: .typed, lastEditLength: 6)
      step.endSelected = 2
      let rest = step.split(at: 3)
      #expect(rest.endSelected == 2)
      #expect(step.endSelected == 0)
    }

    @Test("Of text erased to the right the end comes back first")
    func restoring() throws {
      var history = History()
      "abcdef".withBytes { text in
        for length in 0..<3 {
          history.record(
            History.Entry(
              position: 1, removed: text.dropFirst(1 + length).prefix(1), inserted: .empty,
              caret: 1,
              selected: 0))
        }
        history.retrace(
          Way(
            kind: .undo, rest: 1,
            change: TextChange(from: Joined(text), to: Joined(text), start: 0, sameEnd: 0),
            caret: 1, weight: 0))
      }
      #expect(history.done.last?.removed == Array("bc".utf8))
      #expect(history.undone.last?.removed == Array("d".utf8))
      #expect(history.undone.last?.position == 1)
      #expect(history.byteCount == 3)
    }
  }

#endif
