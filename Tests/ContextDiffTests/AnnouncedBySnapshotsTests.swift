#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// Edits that two snapshots announce, and edits whose deletion a host shows step by step.
  @Suite struct AnnouncedBySnapshotsTests {
    private let classifier = Classifier()

    /// The edit that leads from one drawn snapshot to the other.
    private func edit(_ old: String, _ new: String, _ window: Window) -> Edit? {
      drawn(old).lend { old in
        drawn(new).lend { new in
          Edit(from: old, to: new, window: window, terminators: classifier.terminators)
        }
      }
    }

    @Test("Two snapshots tell the edit at the caret")
    func told() {
      let cases: [(old: String, new: String, edit: Edit)] = [
        ("xin ba|", "xin bâ|", Edit(insert: "â", deleteBackward: 1, unit: .scalars)),
        ("a|bc", "ax|c", Edit(insert: "x", deleteForward: 1, unit: .scalars)),
        ("f|", "f(|)", Edit(insert: "()", moveCaret: -1, unit: .scalars)),
        ("ab|cd", "a|bcd", Edit(moveCaret: -1, unit: .scalars)),
        ("ab[cd]ef", "abx|ef", Edit(insert: "x", unit: .scalars)),
        ("ㄱ|", "가|", Edit(insert: "가", deleteBackward: 1, unit: .scalars)),
      ]
      for (old, new, expected) in cases {
        for window in Window.allCases {
          #expect(edit(old, new, window) == expected, "\(old) → \(new), \(window)")
        }
      }
      #expect(edit("⏎|", "ab|", .sentence) == Edit(insert: "ab", unit: .scalars))
      #expect(edit("ab|", "|", .full) == Edit(deleteBackward: 2, unit: .scalars))
    }

    @Test(
      "They tell none where they may be cut at different places",
      arguments: [
        ("ab|", "ab|"), ("ab|", "a[b]"), ("ab|", "∅|∅"), ("今日は。|", "明|"), ("今日|", "⏎|"),
        ("今日|", "明日は。|"), ("ab|cd", "ab|xy"), ("ab|", "ab|xy"), ("今日はよく晴れ|", "はよく晴れだ|"),
      ])
    func untold(_ old: String, _ new: String) {
      #expect(edit(old, new, .sentence) == nil)
    }

    @Test(
      "What they exchange may go first, as of an edit",
      arguments: [
        ["xin ba|", "xin b|", "xin bâ|"], ["a|!", "∅|!", "â|!"], ["ㄱ|", "⏎|", "가|"],
      ])
    func halfway(_ states: [String]) throws {
      // What stands before a sentence is known where it was shown.
      var session = Session(at: "⏎|", window: .sentence)
      _ = session.post(states[0])
      try session.expect(new: drawn(states[2]))
      let gone = session.post(states[1])
      #expect(gone?.kind == .expected)
      #expect(gone?.unfulfilled == [])
      let come = session.post(states[2])
      #expect(come?.kind == .expected)
      #expect(come?.expected == [1])
    }

    @Test("The text of an edit behind what it was to delete does not fulfil it")
    func refusedDeletion() throws {
      var session = Session(at: "Mai tg| x", window: .full)
      try session.expect(edit: Edit(insert: "tgi", deleteBackward: 2), with: classifier)
      let said = session.post("Mai tgtgi| x")
      #expect(said?.kind == .insertion)
      #expect(said?.inserted == "tgi")
      #expect(said?.expected == [])
      #expect(said?.unfulfilled == [1])
    }

    @Test("Text put in at a line's start takes away no newline")
    func lineStart() throws {
      var session = Session(at: "⏎|", window: .sentence)
      try session.expect(new: drawn("ab|"))
      let said = session.post("ab|")
      #expect(said?.expected == [1])
      #expect(said?.inserted == "ab")
      #expect(said?.removed == nil)
      #expect(said?.cursorOffset?.scalars == 2)
    }

    @Test(
      "A host may erase one character after the other, up to the border of what it shows",
      arguments: [
        (.sentence, ["⏎|", "x :date|"], ["x :dat|", "x :da|", "x :d|", "x :|", "x |", "x é|"]),
        (.line, ["∅|", "x :ab|"], ["x :a|", "x :|", "x |", "x é|"]),
        (.full, ["|⏎more", ":ab|⏎more"], [":a|⏎more", ":|⏎more", "∅|⏎more", "é|⏎more"]),
        (.sentence, ["⏎|", ":|", ":e|"], [":|", "⏎|", "é|"]),
      ] as [(Window, [String], [String])])
    func stepByStep(_ window: Window, _ typed: [String], _ states: [String]) throws {
      var session = Session(at: typed[0], window: window)
      for state in typed.dropFirst() { _ = session.post(state) }
      let edit = Edit(insert: "é", deleteBackward: states.count - 1)
      try session.expect(edit: edit, with: classifier)
      for state in states.dropLast() {
        let said = session.post(state)
        #expect(said?.kind == .expected, "\(state), \(window)")
        #expect(said?.unfulfilled == [], "\(state), \(window)")
      }
      #expect(session.post(states[states.count - 1])?.expected == [1])
    }
  }

#endif
