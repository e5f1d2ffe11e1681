#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// What is read as a character typed without a contest is what the contest finds, alternatives and all.
  ///
  /// An explanation always asks the contest.
  @Suite struct KeystrokeTests {
    private let classifier = Classifier()

    /// Texts that say the same again and again, so that much else might agree.
    static let alphabets = ["ab", "a b", "abc.", "ab⏎", "かき。", "か゛き", "a😀", "ab \u{301}"]
    static let windows: [Window?] = [nil] + Window.allCases

    private func text(
      _ length: ClosedRange<Int>, of alphabet: [Unicode.Scalar],
      by generator: inout SeededGenerator
    ) -> String.UnicodeScalarView {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: length, using: &generator) {
        text.append(alphabet.randomElement(using: &generator) ?? "a")
      }
      return text
    }

    private func scalars(of alphabet: String) -> [Unicode.Scalar] {
      alphabet.unicodeScalars.map { $0 == "⏎" ? "\n" : $0 }
    }

    private func isKeystroke(_ observation: Observation) -> Bool {
      observation.lend { Keystroke($0, terminators: classifier.terminators) != nil }
    }

    /// Mostly nothing besides the window, or what goes with a character.
    private func evidence(_ window: Window?, by generator: inout SeededGenerator) -> Evidence {
      var evidence = Evidence(window: window)
      if generator.chance(0.3) { evidence.key = .character }
      if generator.chance(0.3) { evidence.cause = Cause.allCases.randomElement(using: &generator) }
      if generator.chance(0.9) { return evidence }
      evidence.key = Key.allCases.randomElement(using: &generator)
      evidence.merged = generator.chance(0.2)
      evidence.reset = generator.chance(0.2)
      if generator.chance(0.2) { evidence.composition = Composition(before: 1, after: 0) }
      return evidence
    }

    /// Posts to `session` without a look for keystrokes.
    ///
    /// `isTold` says that the pair comes with its old snapshot.
    private func post(
      _ observation: Observation, isTold: Bool, to session: inout Session
    ) -> Transition? {
      observation.lend { lent in
        var observation = LentObservation(
          old: lent.old, new: lent.new, pasteboard: lent.pasteboard, evidence: lent.evidence)
        guard
          let answer = session.answer(
            &observation, old: isTold ? lent.old : nil, as: nil, with: classifier)
        else { return nil }
        return answer.transition
      }
    }

    private func expectSame(_ said: Transition?, _ explained: Transition?, _ title: String) {
      #expect(contents(of: said) == contents(of: explained), "\(title)")
    }

    @Test("Of a pair by itself", arguments: alphabets, windows)
    func alone(_ alphabet: String, _ window: Window?) {
      var generator = SeededGenerator(seed: 31)
      let alphabet = scalars(of: alphabet)
      var keystrokes = 0
      for _ in 0..<3_000 {
        let before = text(8...16, of: alphabet, by: &generator)
        let come =
          generator.chance(0.1) ? "へ".unicodeScalars : text(1...1, of: alphabet, by: &generator)
        let afters: [String?] = [
          nil, "", String(text(1...12, of: alphabet, by: &generator)),
          String(text(1...2, of: alphabet, by: &generator)),
          // What stands before it, or a part of that, again.
          String(before), String(before.prefix(4)), String(before + before.prefix(3)),
        ]
        let after = afters.randomElement(using: &generator) ?? nil
        let keys: [Key?] = [nil, .character, .return]
        let observation = Observation(
          old: Snapshot(before: String(before), after: after),
          new: Snapshot(before: String(before + come), after: after),
          pasteboard: [nil, "", "b", "ab"].randomElement(using: &generator) ?? nil,
          evidence: Evidence(window: window, key: keys.randomElement(using: &generator) ?? nil))
        if isKeystroke(observation) { keystrokes += 1 }
        expectSame(
          classifier.classify(observation), classifier.explain(observation).transition,
          "\(observation)")
      }
      #expect(keystrokes > 0)
    }

    @Test("In a session", arguments: alphabets, windows)
    func remembered(_ alphabet: String, _ window: Window?) {
      var generator = SeededGenerator(seed: 47)
      let alphabet = scalars(of: alphabet)
      var keystrokes = 0
      for _ in 0..<24 {
        // A line or sentence again and again, the last but one of which is typed to its end.
        let line = text(9...12, of: alphabet, by: &generator)
        let end = ["\n", "。", "\n\n"].randomElement(using: &generator) ?? "\n"
        let typed = line.count - Int.random(in: 1...2, using: &generator)
        var document = line + end.unicodeScalars + line.prefix(typed)
        var caret = document.count
        document += end.unicodeScalars + line
        var missing = Array(line.dropFirst(typed))
        // States to come, of an undo that goes on and is done again.
        var coming: [(String.UnicodeScalarView, Int)] = []
        let limit = [65_536, 65_536, 0, 9, 16, 40].randomElement(using: &generator) ?? 0
        var session = Session(memoryLimit: limit)
        var plain = Session(memoryLimit: limit)
        var states: [(String.UnicodeScalarView, Int)] = []
        let host = window ?? Window.allCases.randomElement(using: &generator) ?? .full
        for _ in 0..<60 {
          states.append((document, caret))
          let start = document.startIndex
          var old: Snapshot?
          switch coming.isEmpty ? Int.random(in: 0..<20, using: &generator) : -1 {
          case -1: (document, caret) = coming.removeFirst()
          case 0:
            caret = Int.random(in: 0...document.count, using: &generator)
          case 1, 2:
            if caret == 0 { break }
            caret -= 1
            document.remove(at: document.index(start, offsetBy: caret))
          case 3: (document, caret) = states.randomElement(using: &generator) ?? (document, caret)
          case 4:
            let come = text(2...6, of: alphabet, by: &generator)
            document.insert(contentsOf: come, at: document.index(start, offsetBy: caret))
            caret += come.count
          case 5 where states.count > 20:
            let undone = states.suffix(Int.random(in: 2...20, using: &generator)).reversed()
            coming = Array(undone.dropFirst()) + undone.reversed().dropFirst()
          case 6 where states.count > 24:
            // Far back at once, and from there again what was typed.
            let undone = states.suffix(Int.random(in: 17...24, using: &generator))
            coming = Array(undone.prefix(5))
          case 7 where document.count > 9:
            // Elsewhere, unseen, and typed there.
            caret = Int.random(in: 9...document.count, using: &generator)
            old = host.snapshot(of: String(document), from: caret, to: caret)
            document.insert(
              contentsOf: text(1...1, of: alphabet, by: &generator),
              at: document.index(start, offsetBy: caret))
            caret += 1
          default:
            let come =
              missing.isEmpty
              ? text(1...1, of: alphabet, by: &generator)
              : String.UnicodeScalarView([missing.removeFirst()])
            document.insert(contentsOf: come, at: document.index(start, offsetBy: caret))
            caret += 1
          }
          let new = host.snapshot(of: String(document), from: caret, to: caret)
          let evidence = evidence(window, by: &generator)
          let pasteboard = generator.chance(0.2) ? "ab" : nil
          if generator.chance(0.05) {
            for edit in [Edit(insert: "a"), Edit(deleteBackward: 1)] where generator.chance(0.5) {
              _ = try? session.expect(edit: edit, with: classifier)
              _ = try? plain.expect(edit: edit, with: classifier)
            }
          }
          let observation = Observation(
            old: old ?? session.latest ?? new, new: new, pasteboard: pasteboard,
            evidence: evidence)
          let explained = session.explain(
            old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
          let said = session.post(
            old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
          let title = "\(host): \(String(document)), \(caret)"
          if isKeystroke(observation) {
            keystrokes += 1
            expectSame(said, explained?.transition, title)
          }
          expectSame(said, post(observation, isTold: old != nil, to: &plain), title)
          #expect(session.hostWindow == plain.hostWindow, "\(title)")
          #expect(session.remembered == plain.remembered, "\(title)")
          #expect(session.archived() == plain.archived(), "\(title)")
        }
      }
      #expect(keystrokes > 0)
    }
  }

#endif
