#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// The remembered text and the history, against what a plain string would hold.
  @Suite struct DocumentTests {
    /// A memory of `text` with `selected` bytes selected at `caret`.
    private func memory(_ text: String, _ caret: Int, _ selected: Int) -> Memory {
      Memory(
        limit: 65_536, text: Array(text.utf8), caret: caret, selecting: selected, origin: 0,
        leftEdge: .document, rightEdge: .document, isDoubtful: false, seam: nil)
    }

    @Test("Every edit of every small text, against a plain string")
    func edits() {
      for text in ["", "a", "ab", "abc", "abcd"] {
        let bytes = Array(text.utf8)
        for caret in 0...bytes.count {
          for selected in 0...bytes.count - caret {
            for left in 0...caret {
              for right in 0...bytes.count - caret - selected {
                for removesSelection in selected > 0 ? [true] : [false] {
                  for put in ["", "x", "xyz"] {
                    var memory = memory(text, caret, selected)
                    put.withBytes {
                      memory.edit(
                        removingLeft: left, removingSelection: removesSelection,
                        removingRight: right, inserting: $0)
                    }
                    let end = caret + (removesSelection ? selected : 0) + right
                    var plain = bytes
                    plain.replaceSubrange(caret - left..<end, with: put.utf8)
                    #expect(memory.text == plain)
                    #expect(memory.caret == caret - left + put.utf8.count)
                    for place in 0...plain.count {
                      memory.place(at: place, selecting: plain.count - place)
                      #expect(memory.text == plain)
                      #expect(memory.selectedCount == plain.count - place)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }

    @Test("Long text is known to be plain while all that came is, by whatever way")
    func plainText() {
      let long = String(repeating: "aか漢、\n", count: 500)
      for (text, isPlain) in [("", true), ("aか漢、\n", true), ("か\u{3099}", false), ("😀", false)] {
        func check(_ change: (inout Memory, Bytes) -> Void) {
          for isAskedBefore in [false, true] {
            var memory = memory(long, 1, 0)
            if isAskedBefore { memory.lookWhetherPlain() }
            text.withBytes { change(&memory, $0) }
            memory.lookWhetherPlain()
            #expect(memory.known(around: .hidden).isPlain == isPlain, "\(text)")
          }
        }
        check { $0.extend(left: $1, edge: .document) }
        check { $0.extend(right: $1, edge: .document) }
        check {
          $0.edit(removingLeft: 0, removingSelection: false, removingRight: 0, inserting: $1)
        }
        check { $0.rewrite(Array(long.utf8) + Joined($1).contiguous, caret: 0, selecting: 0) }
        (text + long).withBytes { all in
          check { memory, _ in
            let fields = Fields(
              before: .hidden, selected: .hidden, after: ContextDiff.Field(all))
            memory.start(with: Known(fields, window: .full, terminators: .standard))
          }
        }
      }
    }

    @Test(
      "How far a jump goes is what String says, over text that joins and over text that does not")
    func jumpLengths() {
      for emoji in ["", "👩‍👩‍👧", "\r\n", "か\u{3099}"] {
        let text =
          String(repeating: "かな漢字、abc", count: 400) + emoji + String(repeating: "あ", count: 40)
        var session = Session()
        let told = Evidence(window: .full)
        _ = session.post(
          new: Snapshot(before: "", after: text), evidence: told, with: Classifier())
        let moved = session.post(
          new: Snapshot(before: text, after: ""), evidence: told, with: Classifier())
        let length = Extent(
          scalars: text.unicodeScalars.count, utf16: text.utf16.count, graphemes: text.count)
        #expect(moved?.cursorOffset == length)
        let back = session.post(
          new: Snapshot(before: "", after: text), evidence: told, with: Classifier())
        #expect(back?.cursorOffset == .zero - length)
      }
    }

    @Test("A change found between two texts makes the one of the other, wherever the caret is")
    func changes() {
      let texts = ["", "a", "aa", "ab", "aab", "aba", "あ", "いあ", "ああ"]
      for old in texts {
        for new in texts {
          old.withBytes { before in
            new.withBytes { after in
              let change = TextChange(
                from: Joined(before), to: Joined(after), start: 0, sameEnd: 0)
              var memory = memory(old, 0, 0)
              memory.make(change, caret: after.count, selecting: 0)
              #expect(memory.text == Array(new.utf8), "\(old) to \(new)")
              #expect(memory.caret == after.count)
              #expect(String(validating: change.removed, as: UTF8.self) != nil)
              #expect(String(validating: change.inserted, as: UTF8.self) != nil)
            }
          }
        }
      }
    }

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
        Way(kind: .undo, rest: 1, change: change, caret: 0, selected: 0, weight: 0))
      #expect(history.undone.map(\.bond) == [.loose])
      history.retrace(
        Way(kind: .redo, steps: 1, change: change, caret: 0, selected: 0, weight: 0))
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

    @Test("Beyond the limit the selection stays, and the text beside it goes")
    func trimmedSelection() {
      let memory = Memory(
        limit: 8, text: Array("abcdefghijklmnopqrst".utf8), caret: 4, selecting: 8, origin: 0,
        leftEdge: .document, rightEdge: .document, isDoubtful: false, seam: nil)
      #expect(memory.selectedCount == 8)
      #expect(memory.text == Array("efghijkl".utf8))
    }

    @Test("Of two doubts the graver holds for the text beyond both")
    func doubts() {
      var memory = memory("abcdefgh", 8, 0)
      memory.doubt(beyond: 3, weighing: -2)
      memory.doubt(beyond: 5, weighing: -9)
      #expect(memory.seam?.position == 3)
      #expect(memory.seam?.weight == -2)
    }

    @Test("A snapshot that shows the text in doubt ends the doubt")
    func doubtEnds() {
      let text = "The quick brown fox "
      var memory = memory(text, text.utf8.count, 0)
      memory.doubt(beyond: 2, weighing: -2)
      text.withBytes { all in
        let fields = Fields(before: ContextDiff.Field(all), selected: .hidden, after: .hidden)
        _ = memory.reconcile(
          with: Known(fields, window: .full, terminators: .standard), window: .full,
          isProven: false)
      }
      #expect(memory.seam == nil)
    }

    @Test("Places that were left hold no more text together than one memory may")
    func stretchesTogether() {
      var stretches = Stretches()
      for text in ["abcdef", "ghijkl"] {
        let left = Memory(
          limit: 10, text: Array(text.utf8), caret: 0, selecting: 0, origin: 0, leftEdge: .open,
          rightEdge: .open, isDoubtful: false, seam: nil)
        stretches.keep(left, History())
      }
      #expect(stretches.stretches.map(\.memory.text) == [Array("ghijkl".utf8)])
    }

    @Test("Text that stands at two places of a stretch joins it at neither", arguments: [1, 2])
    func joining(places: Int) {
      let shared = "The quick brown fox jumps over it. "
      var stretches = Stretches()
      stretches.keep(
        memory("One. " + String(repeating: shared, count: places), 0, 0), History())
      var joined = memory(shared, 0, 0)
      var history = History()
      stretches.join(&joined, &history, grownLeft: 4, grownRight: 0)
      #expect(stretches.stretches.count == places - 1)
      #expect(joined.text == Array(((places == 1 ? "One. " : "") + shared).utf8))
    }

    @Test("Of a selection that grows the last state is kept, and of one too long nothing")
    func clips() {
      var session = Session(at: "|abcd", window: .full)
      for state in ["[a]bcd", "[ab]cd", "[abc]d"] { session.post(state) }
      #expect(Array(session.clips.texts) == Array("abc".utf8) + [0xFF])
      var clips = Clips()
      String(repeating: "a", count: 257).withBytes { clips.keep($0, insteadOfLast: false) }
      #expect(Array(clips.texts) == [0xFF])
    }

    @Test("A caret that goes where an undo may have put it leaves the last edit")
    func trailLeavesTheEdit() {
      var trail = Trail()
      trail.note(Trail.Step(state: 1, kind: .insertion))
      trail.note(Trail.Step(state: 2, kind: .cursorMove))
      #expect(!trail.hasLeftEdit)
      trail.note(Trail.Step(state: 3, kind: .cursorMove, namesRetraced: true))
      #expect(trail.hasLeftEdit)
    }

    @Test("An undo over an edit is not doubted for an undo before that edit that was")
    func trailDoubts() {
      var trail = Trail()
      trail.note(Trail.Step(state: 1, kind: .undo, isDoubted: true))
      #expect(trail.retracing(to: 1)?.isDoubted == true)
      trail.note(Trail.Step(state: 2, kind: .insertion))
      #expect(trail.retracing(to: 1)?.kind == .undo)
      #expect(trail.retracing(to: 1)?.isDoubted == false)
    }

    @Test("An archive with an offset or a weight that no session has is refused")
    func archivedNumbers() throws {
      func reader(_ word: UInt64) throws -> ArchiveCoder {
        var writer = ArchiveCoder()
        _ = try writer.word(word)
        return ArchiveCoder(reading: writer.bytes)
      }
      for offset in [Int.min, Int.min >> 8, Int.max >> 8 + 1, .max] {
        var coder = try reader(UInt64(truncatingIfNeeded: offset))
        #expect(throws: ArchiveCoder.Malformed.self) { try coder.offset(nil) }
      }
      for weight in [Double.nan, .infinity, .leastNonzeroMagnitude] {
        var coder = try reader(weight.bitPattern)
        #expect(throws: ArchiveCoder.Malformed.self) { try coder.weight(nil) }
      }
    }

    @Test("Several changes at once tell no window from another")
    func mergedPairs() {
      var session = Session(at: "One two|", window: nil)
      session.post("Three and four|", merged: true)
      #expect(session.windowBelief.pairs == 0)
      session.post("Five|")
      #expect(session.windowBelief.pairs == 1)
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
            caret: 1, selected: 0, weight: 0))
      }
      #expect(history.done.last?.removed == Array("bc".utf8))
      #expect(history.undone.last?.removed == Array("d".utf8))
      #expect(history.undone.last?.position == 1)
      #expect(history.byteCount == 3)
    }
  }

  /// What is proposed, in any order.
  @Suite struct ContestTests {
    @Test("The order in which hypotheses are heard decides nothing")
    func shuffled() {
      for scope in ExhaustiveTests.scopes(shorterBy: 2) {
        for pair in scope.pairs() {
          check(pair, scope.host.window)
        }
      }
    }

    private func check(_ weighed: WeighedPair, _ window: Window) {
      let observation = Observation(
        old: weighed.old.snapshot, new: weighed.new.snapshot,
        pasteboard: weighed.pasteboard.map { String($0) }, evidence: Evidence(window: window))
      observation.lend { observation in
        let terminators = Terminators.standard
        let pair = Pair(
          observation, terminators: terminators,
          known: Known(observation.old, window: window, terminators: terminators))
        Inference.verdict(on: pair, isTraced: true) { verdict, pair, contest in
          var hypotheses = contest.trials.filter(\.agrees)
          if hypotheses.count < 2 { return }
          for turn in 0..<3 {
            if turn == 0 {
              hypotheses.reverse()
            } else {
              hypotheses.append(hypotheses.removeFirst())
            }
            var again = Contest(for: pair)
            for hypothesis in hypotheses { again.accept(hypothesis) }
            let other = Verdict(again: &again, for: pair)
            #expect(other.winner.kind == verdict.winner.kind, "\(weighed.drawing)")
            #expect(other.winner.weight == verdict.winner.weight, "\(weighed.drawing)")
            #expect(other.alternatives == verdict.alternatives, "\(weighed.drawing)")
          }
        }
      }
    }

    @Test("Each window has a place of its own")
    func windows() {
      #expect(Window.allCases.map(\.place) == Array(Window.allCases.indices))
      #expect(Window.allCases.count == WindowBelief().bits.scalarCount)
    }

    @Test("Each kind has a row of its own")
    func kinds() {
      #expect(Kind.allCases.map(\.slot) == Array(Kind.allCases.indices))
      #expect(Kind.allCases.count <= KindSet.RawValue.bitWidth)
      for kind in Kind.allCases {
        #expect(kind.family.family == kind.family)
        #expect(KindSet(familyOf: kind).contains(KindSet(kind)))
      }
    }
  }

#endif
