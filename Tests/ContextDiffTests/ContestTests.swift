#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

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

    @Test("A snapshot told again says nothing of the window")
    func toldAgain() {
      var (once, again) = (Session(), Session())
      for line in ["one two|∅", "one two.⏎|∅", "one two.⏎a|∅"] {
        once.post(line)
        for _ in 0..<9 { again.post(line) }
      }
      #expect(once.windowBelief.bits == again.windowBelief.bits)
    }

    @Test("Each window has a place of its own")
    func windows() {
      #expect(Window.allCases.map(\.slot) == Array(Window.allCases.indices))
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
