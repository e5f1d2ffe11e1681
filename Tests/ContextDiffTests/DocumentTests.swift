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
