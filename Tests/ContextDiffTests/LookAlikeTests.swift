#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// The table of what no engine can tell apart: each row by a pair of which it makes more than one reading.
  @Suite struct LookAlikeTests {
    struct Example: CustomTestStringConvertible, Sendable {
      var found: Kind
      var other: Kind
      var condition: LookAlike.Condition
      /// The snapshots, drawn, of which the last two are the pair.
      var states: [String]
      /// Where the carets are told to stand, from the first on; none where that is not told.
      var carets: [Int] = []
      /// Whether they are a session's.
      var isRemembered = false
      /// `nil` where it is not told.
      var window: Window? = .sentence
      var key: Key?
      /// Whether the session was told a shortcut by its name before.
      var namesShortcuts = false
      var merged = false
      var composition: Composition?
      var hidesSelection = false
      var pasteboard: String?

      var testDescription: String { "\(found) or \(other), \(condition.name)" }
    }

    static let examples = [
      Example(
        found: .insertion, other: .outOfRangeTap, condition: .isDoubtedByEvidence,
        states: ["It was lat|", "It was late|"], merged: true),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .isDoubtedByEvidence,
        states: ["いろはにほへと|", "ちりぬるを|わかよたれそ"], merged: true),
      Example(
        found: .selection, other: .undo, condition: .mayBeRetracedSelection,
        states: ["One two three|", "One [two] three"], isRemembered: true, key: .shortcut),
      Example(
        found: .outOfRangeTap, other: .undo, condition: .mayBeShortcut,
        states: ["いろはにほへと|", "ちりぬるを|わかよたれそ"], isRemembered: true, key: .shortcut),
      Example(
        found: .deletion, other: .undo, condition: .mayBeUnknownRemoval,
        states: ["One two |three four", "One |four"], isRemembered: true),
      Example(
        found: .insertion, other: .undo, condition: .mayGoOnRetracing,
        states: ["One two|", "One two three|", "One two|", "One two, and four|"],
        isRemembered: true),
      Example(
        found: .deletion, other: .undo, condition: .mayGoOnUndoing,
        states: [
          "It was |of", "It was s|of", "It was so|of", "It was soo|of", "It was so|of",
          "It was s|of",
        ],
        isRemembered: true, window: .full),
      Example(
        found: .outOfRangeTap, other: .undo, condition: .mayUndoElsewhere,
        states: ["いろはにほへ|", "いろはにほへと|", "ちりぬるを|わか", "よたれそ|つねならむ"],
        isRemembered: true, window: .line),
      Example(
        found: .outOfRangeTap, other: .cursorMove, condition: .mayBeEmptyLineBeside,
        states: ["   x|⏎⏎def total(rows", "∅|∅"], isRemembered: true, window: .full, key: .caret),
      Example(
        found: .undo, other: .windowShift, condition: .mayBePassing,
        states: [
          "かThそらはあおい|e roof is mended.", "かThそらはあおい| roof is mended.",
          "かThそらはあおい|e roof is mended.",
        ],
        isRemembered: true, window: .line, key: Key.unpressed,
        composition: Composition(before: 0, after: 0)),
      Example(
        found: .insertion, other: .undo, condition: .mayUndoErasure,
        states: ["One two|", "One tw|", "One two|"], isRemembered: true),
      Example(
        found: .undo, other: .redo, condition: .mayRedo,
        states: ["One two |three four", "One |four", "One two |three four"], isRemembered: true),
      Example(
        found: .insertion, other: .redo, condition: .mayRedo,
        states: ["One |", "One t|", "One tw|", "One t|", "One tw|"], isRemembered: true),
      Example(
        found: .redo, other: .replacement, condition: .followsDoubtedUndo,
        states: [
          "example[.org]", "examples[ of haiku]", "∅|∅", "example[.org]", "examples[ of haiku]",
        ],
        isRemembered: true, window: .full),
      Example(
        found: .undo, other: .insertion, condition: .mayBeCompletedOn,
        states: ["wea[ther boston]", "weat|", "weather boston|"], isRemembered: true,
        window: .full, key: .unpressed),
      Example(
        found: .undo, other: .insertion, condition: .mayBeIndented,
        states: ["items) {⏎    |∅", "items) {⏎|∅", "items) {⏎    |∅"], isRemembered: true,
        window: .paragraph),
      Example(
        found: .undo, other: .deletion, condition: .mayBeErasedBack,
        states: ["(963) 694|-28", "(963) 694-4|28", "(963) 694|-28"], isRemembered: true,
        window: .full),
      Example(
        found: .undo, other: .deletion, condition: .mayToggleAround,
        states: ["  foo [bar] baz", "  // foo [bar] baz", "  foo [bar] baz"], isRemembered: true,
        window: .full),
      Example(
        found: .deletion, other: .selection, condition: .mayBeSelectedRight,
        states: ["The quick |brown fox jumps over the dog and runs", "The quick | and runs"],
        window: .full),
      Example(
        found: .redo, other: .undo, condition: .mayUndo,
        states: ["∅|one", "Typing some text |one", "∅|one", "Typing some text |one"],
        isRemembered: true, window: .full),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .contradictsAnEnd,
        states: ["∅|foo", "∅|bar"]),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .mayMoveLines,
        states: [
          "Dear Ann.⏎We met a friend there.⏎close |it.⏎Bye",
          "Dear Ann.⏎close |it.⏎We met a friend there.⏎Bye",
        ],
        window: .full, key: .caret),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .mayRecallLine,
        states: ["ls|", "git push|"], window: .line, key: .caret),
      Example(
        found: .insertion, other: .outOfRangeTap, condition: .mayFollowMove,
        states: ["See y|ou at the station", "See you at the station tomorrow|"],
        window: .paragraph),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .wasOtherShortcut,
        states: ["first = 1|2", "name =| title"], isRemembered: true, window: .line, key: .shortcut,
        namesShortcuts: true),
      Example(
        found: .undo, other: .replacement, condition: .wasOtherShortcut,
        states: ["x|", "on|e two", "# on|e two", "on|e two"], isRemembered: true,
        window: .full, key: .shortcut, namesShortcuts: true),
      Example(
        found: .outOfRangeTap, other: .deletion, condition: .mayJoinLineBeside,
        states: ["The last line.|∅", "∅|Another one here", "∅|∅", "The last line.|∅"],
        isRemembered: true, window: .line),
      Example(
        found: .cursorMove, other: .undo, condition: .mayBeHalfRetraced,
        states: ["One |three", "One two |three", "One |three", "One three|∅"], isRemembered: true,
        window: .line),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .mayHideEdit,
        states: ["One two three|four five", "Nine two three|other words"]),
      Example(
        found: .deletion, other: .windowShift, condition: .differsInNullAlone,
        states: ["One two|", "One two|∅"]),
      Example(
        found: .windowShift, other: .insertion, condition: .always,
        states: ["Hello wo|∅", "Hello wo|rld, how are"]),
      Example(
        found: .windowShift, other: .insertion, condition: .mayBeEditedFarOff,
        states: ["∅|∅", "list.sort()|∅", "# list.sort()|∅"], isRemembered: true, window: .full),
      Example(
        found: .cursorMove, other: .deletion, condition: .mayLoseBeginning,
        states: ["first line he|re⏎body of it all⏎third", "body of it| all⏎third"], window: .full),
      Example(
        found: .cursorMove, other: .deletion, condition: .mayLoseBeginning,
        states: ["firs|t⏎second line⏎third line", "seco|nd line⏎third line"], window: .full),
      Example(
        found: .undo, other: .outOfRangeTap, condition: .isUnknownShortcut,
        states: ["The quick fox.|∅", "The quick fox.|∅"], carets: [101, 203], window: .line,
        key: .shortcut),
      Example(
        found: .undo, other: .deletion, condition: .isUnknownShortcut,
        states: ["The quick fox.|∅", "The quick |∅"], window: .line, key: .shortcut),
      Example(
        found: .undo, other: .deletion, condition: .mayEraseByShortcut,
        states: ["∅|next", "T|next", "Th|next", "The|next", "The |next", "The f|next", "∅|next"],
        isRemembered: true, window: .line, key: .shortcut),
      Example(
        found: .undo, other: .deletion, condition: .mayEraseByShortcut,
        states: ["say|∅", "say hello|∅", "say| hello", "say|∅"], isRemembered: true,
        window: .full, key: .shortcut),
      Example(
        found: .undo, other: .deletion, condition: .mayEraseByShortcut,
        states: ["It was |now", "It was so|now", "∅|now", "It was |now"], isRemembered: true,
        window: .line, key: .shortcut),
      Example(
        found: .undo, other: .deletion, condition: .mayGoOnErasing,
        states: ["今日は|です。", "今日は会議|です。", "今日は会議資料|です。", "今日は会議|です。", "今日は|です。"],
        isRemembered: true),
      Example(
        found: .undo, other: .replacement, condition: .takesConversionBack,
        states: ["です。⏎|∅", "です。⏎あした|∅", "です。⏎明日|∅", "です。⏎あした|∅"], isRemembered: true,
        window: .full),
      Example(
        found: .replacement, other: .undo, condition: .takesConversionBack,
        states: ["学は|う。", "学はき|う。", "学はきょ|う。", "学はきょう|う。", "学は今日|う。", "学はきょう|う。"],
        isRemembered: true),
      Example(
        found: .undo, other: .insertion, condition: .mayBeCompleted,
        states: ["what[ is the time]∅", "what|∅", "what [is the time]∅"], isRemembered: true,
        window: .full),
      Example(
        found: .windowShift, other: .replacement, condition: .mayHideKeysEdit,
        states: ["world|∅", "hello world|∅"], window: .full, key: .backspace),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .keepsBefore,
        states: ["on|e", "on|E"]),
      Example(
        found: .selection, other: .insertion, condition: .mayBeDropped,
        states: [" We went home ea[rly]!", "There are two of them [rly]here."]),
      Example(
        found: .submission, other: .deletion, condition: .mayBeErased,
        states: ["1.|∅", "∅|∅"], isRemembered: true, window: .full, key: .character),
      Example(
        found: .submission, other: .deletion, condition: .mayBeErased,
        states: ["Thanks|∅", "Thanks.|∅", " |∅", "∅|∅"], isRemembered: true),
      Example(
        found: .deletion, other: .submission, condition: .mayBeSent, states: ["k|∅", "∅|∅"]),
      Example(
        found: .outOfRangeTap, other: .submission, condition: .mayBeClearedToMark,
        states: ["hello there|∅", "|\u{FEFF}"], window: .full, key: .return),
      Example(
        found: .insertion, other: .submission, condition: .mayBeClearedToMark,
        states: ["hello there|\n", "|\n"], window: .full, key: .return),
      Example(
        found: .insertion, other: .outOfRangeTap, condition: .mayFollowMove,
        states: ["she said| that it was", "she said, that it was|∅"], window: .line),
      Example(
        found: .deselection, other: .replacement, condition: .mayHidePaste,
        states: ["So [we met. And then left] again.", " And then left| again."], key: .paste),
      Example(
        found: .deletion, other: .insertion, condition: .breaksLineBehind,
        states: ["ab cd|ef gh", "ab cd|\nef gh"], isRemembered: true, window: nil),
      Example(
        found: .outOfRangeTap, other: .submission, condition: .mayBeCleared,
        states: ["hello world|∅", "∅|"]),
      Example(
        found: .undo, other: .insertion, condition: .mayBeLineBroken,
        states: ["∅|the old line", "hello world|the old line", "∅|the old line"],
        isRemembered: true, window: nil),
      Example(
        found: .deletion, other: .insertion, condition: .mayBeLineBroken,
        states: ["∅|∅", "a|∅", "ab|∅", "a|∅", "∅|∅"], isRemembered: true, window: nil),
      Example(
        found: .outOfRangeTap, other: .insertion, condition: .comesFromNothing,
        states: ["∅|∅", "∅|Hello there, friend"]),
      Example(
        found: .selection, other: .insertion, condition: .comesFromNothing,
        states: ["∅|∅", "foo[bar]foo"], window: .full),
      Example(
        found: .redo, other: .insertion, condition: .comesFromNothing,
        states: ["∅|∅", "o|∅", "ok thanks|∅", "∅|∅", "ok thanks|∅"], isRemembered: true,
        window: .paragraph, key: .unpressed),
      Example(
        found: .deletion, other: .insertion, condition: .joinsUnseen,
        states: ["ab|∅", "ab|c"], window: .line),
      Example(
        found: .deletion, other: .cut, condition: .mayHaveBeenSelected,
        states: ["One two three|", "One |"], hidesSelection: true),
      Example(
        found: .outOfRangeTap, other: .selection, condition: .mayBeSelected,
        states: ["いろはにほへと|", "ちりぬるを|わかよたれそ"], window: .line, hidesSelection: true),
      Example(
        found: .cut, other: .replacement, condition: .mayBreakLine,
        states: ["∅[One two ]three", "∅|three"], isRemembered: true, window: .line),
      Example(
        found: .insertion, other: .deletion, condition: .mayJoinUnseen,
        states: ["∅|three", "    |three"], window: .line),
      Example(
        found: .deletion, other: .cursorMove, condition: .mayLeaveEmptyLine,
        states: ["milk⏎|∅", "milk|∅"], isRemembered: true, window: .line),
      Example(
        found: .cursorMove, other: .deletion, condition: .mayEraseLines,
        states: ["{⏎  one⏎  two, thr|∅", "{⏎  one⏎  two, three|∅", "{⏎  one|∅"],
        isRemembered: true, window: .paragraph),
      Example(
        found: .insertion, other: .outOfRangeTap, condition: .mayGoDown,
        states: ["does nothing.|∅", "does nothing.⏎⏎|∅"], window: .paragraph),
      Example(
        found: .outOfRangeTap, other: .insertion, condition: .mayRepeatLine,
        states: ["if x {⏎  y();|∅", "if x {⏎  y();⏎  y();|∅"], window: .paragraph),
      Example(
        found: .insertion, other: .replacement, condition: .mayExchangeLineEnd,
        states: ["fn maybe|uninit_slice_", "fn maybem|∅"], window: .line),
      Example(
        found: .outOfRangeTap, other: .insertion, condition: .showsRememberedSentence,
        states: ["index;|", "(found);|", "⏎|", "index;|"], isRemembered: true,
        window: .sentence),
      Example(
        found: .paste, other: .insertion, condition: .mayBeTyped,
        states: ["One two |", "One two 👨‍👩‍👧|"], pasteboard: "👨‍👩‍👧"),
      Example(
        found: .insertion, other: .selection, condition: .selectsLineBreak,
        states: ["First line|∅", "First line[⏎]∅"]),
      Example(
        found: .deletion, other: .replacement, condition: .mayBeEditedWhole,
        states: ["(foo|) bar baz", "(foo| bar baz)"], window: .full),
      Example(
        found: .replacement, other: .deletion, condition: .mayBeErasedFartherLeft,
        states: ["- item1⏎  - |∅", "- item1⏎- |∅"], window: .full),
      Example(
        found: .replacement, other: .insertion, condition: .mayBeInsertedFartherLeft,
        states: ["- qwe⏎  - q|we", "- qwe⏎    - q|we"], window: .full),
      Example(
        found: .outOfRangeTap, other: .insertion, condition: .mayHideOneEdit,
        states: ["one two thr|ee", "∅|zero one two three"]),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .mayBeEditedAnywhere,
        states: ["ab|C⏎", "∅|ABC⏎"], window: .full),
      Example(
        found: .outOfRangeTap, other: .replacement, condition: .mayUndoDoubted,
        states: ["hello|", "HELLO|", "hello|"], isRemembered: true, window: .full),
      Example(
        found: .outOfRangeTap, other: .undo, condition: .mayUndoDoubted,
        states: ["∅|123", "abcd|", "∅|123"], isRemembered: true, window: .full),
      Example(
        found: .deletion, other: .outOfRangeTap, condition: .mayBeElsewhere,
        states: ["ab|", "a|"]),
    ]

    @Test("What no engine can tell apart is named beside what was found", arguments: examples)
    func named(_ example: Example) {
      let said = said(example)
      #expect(said?.kind == example.found, "\(said?.alternatives ?? [])")
      #expect(said?.alternatives.contains(example.other) ?? false, "\(said?.alternatives ?? [])")
    }

    @Test("Each row of the table has its example")
    func rows() {
      for row in LookAlike.table {
        #expect(
          LookAlikeTests.examples.contains {
            row.found.contains(KindSet($0.found)) && row.condition.name == $0.condition.name
              && row.other.mayBe($0.other)
          }, "\(row.other), \(row.condition.name)")
      }
    }

    private func said(_ example: Example) -> Transition? {
      var snapshots = example.states.map {
        var snapshot = drawn($0)
        if example.hidesSelection { snapshot.selectionShown = false }
        return snapshot
      }
      for (place, caret) in example.carets.enumerated() { snapshots[place].caret = caret }
      let evidence = Evidence(
        window: example.window, composition: example.composition, key: example.key,
        merged: example.merged)
      if !example.isRemembered {
        return Classifier().classify(
          Observation(
            old: snapshots[0], new: snapshots[1], pasteboard: example.pasteboard, evidence: evidence
          ))
      }
      var session = Session()
      session.namesShortcuts = example.namesShortcuts
      let new = snapshots.removeLast()
      for snapshot in snapshots {
        _ = session.post(
          new: snapshot, evidence: Evidence(window: example.window), with: Classifier())
      }
      return session.post(new: new, evidence: evidence, with: Classifier())
    }
  }

  extension LookAlike.Other {
    fileprivate func mayBe(_ kind: Kind) -> Bool {
      switch self {
      case .kind(let other): kind == other
      case .elsewhere: kind == .outOfRangeTap
      case .retraced: kind == .undo || kind == .redo
      case .edit, .editBesideUnseen, .editAnywhere: kind.isPlainEdit
      }
    }
  }

#endif
