#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// The remembered text, and what is kept beside it, against what a plain string would hold.
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
  }

#endif
