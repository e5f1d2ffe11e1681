import ContextDiff
import Testing

/// Simulated toolkits, whose news come late, merged with the next, or not at all.
@Suite struct LinuxHostTests {
  /// What goes wrong between a host and an input method, and how often for each act.
  struct Troubles {
    /// News of what no key did (a click, a drag) wait for the next act, as GTK's do.
    var late = 0.0
    var lost = 0.0
  }

  /// How a session read the acts of a recording.
  struct Reading {
    /// Pairs of one act.
    var single = Replay.Tally()
    /// Pairs of several, of which any one's name will do.
    var merged = Replay.Tally()
    var byKind: [Kind: Replay.Tally] = [:]
    var misses: [String] = []

    init(
      _ recording: Recording, _ host: LinuxHost, window: Window?, evidence: Bool,
      troubles: Troubles, seed: UInt64
    ) {
      let convention = Convention()
      let classifier = Classifier()
      var session = Session()
      var random = SeededGenerator(seed: seed)
      var old = recording.start
      var told = host.shows(old)
      var shown = told
      _ = session.post(new: told.snapshot, evidence: Evidence(window: window), with: classifier)
      var waiting: [Kind] = []
      var isVisible = true
      for step in recording.steps {
        let next = host.shows(step.field)
        let key = step.key(from: old)
        var kind = convention.name(
          step, from: old, shown: shown, to: next, window: host.window, pasteboard: nil)
        // Cut and erased look alike but for the key.
        if evidence, kind == .cut, key == .backspace { kind = .deletion }
        isVisible = isVisible && host.canShow(old) && host.canShow(step.field)
        old = step.field
        shown = next
        if kind != .unchanged { waiting.append(kind) }
        // Equal news are dropped before they arrive.
        if next == told { continue }
        if key == .unpressed ? random.chance(troubles.late) : random.chance(troubles.lost) {
          continue
        }
        let said = session.post(
          new: next.snapshot,
          evidence: Evidence(
            window: window, key: evidence ? key : nil, merged: evidence && waiting.count > 1),
          with: classifier)
        #expect(said != nil)
        if let said, isVisible { add(said, waiting, told, next, key) }
        told = next
        waiting = []
        isVisible = host.canShow(step.field)
      }
    }

    private mutating func add(
      _ said: Transition, _ done: [Kind], _ old: Shown, _ new: Shown, _ key: Key
    ) {
      // What several acts come to together is an edit or a move of its own.
      let together: [Kind] = [.insertion, .deletion, .replacement, .outOfRangeTap, .cursorMove]
      let accepted = done.count > 1 ? done + together : done
      let isRight = accepted.contains(said.kind)
      let isCertain = said.certainty == .certain
      let tally = Replay.Tally(
        count: 1, right: isRight ? 1 : 0,
        named: isRight || said.alternatives.contains { accepted.contains($0) } ? 1 : 0,
        certain: isCertain ? 1 : 0, certainWrong: isCertain && !isRight ? 1 : 0)
      if done.count > 1 {
        merged.add(tally)
      } else {
        single.add(tally)
        byKind[done[0], default: Replay.Tally()].add(tally)
      }
      if !isRight {
        misses.append(
          (isCertain ? "CERTAIN " : "")
            + "\(drawn(old.snapshot)) → \(drawn(new.snapshot)) {\(key.rawValue)}  is "
            + done.map(\.rawValue).joined(separator: "+") + ", says \(drawn(said))")
      }
    }

    /// Prints the first misses, those that were certain before others.
    func printMisses() {
      let ordered =
        misses.filter { $0.hasPrefix("CERTAIN") } + misses.filter { !$0.hasPrefix("CERTAIN") }
      for miss in ordered.prefix(Report.length) { print("    ", miss) }
    }

    func line(_ title: String) -> String {
      func part(_ tally: Replay.Tally) -> String {
        "\(tally.right)/\(tally.count) \(rounded(100 * tally.accuracy, 2))%, named "
          + "\(rounded(100 * tally.coverage, 2))%, certain \(rounded(100 * tally.certainShare, 1))%"
          + ", certain wrong \(tally.certainWrong)"
      }
      return title.padded(48) + "one act " + part(single).padded(64)
        + (merged.count == 0 ? "" : "several " + part(merged))
    }
  }

  @Test(arguments: LinuxHost.allCases, [false, true])
  func readsWhatItTells(_ host: LinuxHost, _ evidence: Bool) {
    for (number, recording) in (TypedTests.recordings() + TypedTests.undoing()).enumerated() {
      for (trouble, troubles) in [
        ("steady", Troubles()), ("late", Troubles(late: 0.7)), ("lost", Troubles(lost: 0.02)),
      ] {
        for window in [host.window, nil] {
          let seed = TypedTests.seed + UInt64(200 + number)
          let reading = Reading(
            recording, host, window: window, evidence: evidence, troubles: troubles, seed: seed)
          let title =
            "\(host.rawValue) \(recording.name) \(trouble) \(window?.rawValue ?? "untold")"
            + (evidence ? " +key" : "")
          print(reading.line(title))
          expect(reading, title, isLate: troubles.late > 0, evidence: evidence)
          if Report.isLong {
            for kind in Kind.allCases {
              guard let tally = reading.byKind[kind], tally.right < tally.count else { continue }
              print(
                "  \(kind.rawValue.padded(16)) \(tally.right)/\(tally.count) certain wrong "
                  + "\(tally.certainWrong)")
            }
            reading.printMisses()
          }
        }
      }
    }
  }

  /// Hosts whose undo takes other steps back than browsers' does.
  @Test(arguments: [Editor.Grouping.word, .edit])
  func readsItsUndo(by grouping: Editor.Grouping) {
    for host in LinuxHost.allCases {
      for evidence in [false, true] {
        for (number, recording) in TypedTests.undoing(by: grouping).enumerated() {
          let reading = Reading(
            recording, host, window: host.window, evidence: evidence, troubles: Troubles(),
            seed: TypedTests.seed + UInt64(300 + number))
          let title =
            "\(host.rawValue) \(recording.name) by \(grouping.rawValue)" + (evidence ? " +key" : "")
          let (undo, redo) = (reading.byKind[.undo] ?? .init(), reading.byKind[.redo] ?? .init())
          print(
            reading.line(title), "undo \(undo.right)/\(undo.count)",
            "redo \(redo.right)/\(redo.count)")
          if Report.isLong { reading.printMisses() }
          // With each edit a step, and no key told, an undo looks like the key that it takes back.
          let floor = evidence ? 0.93 : grouping == .word ? 0.76 : 0.45
          #expect(undo.accuracy >= floor, "\(title)")
          #expect(reading.single.wrongOfCertain <= (evidence ? 0.0005 : 0.009), "\(title)")
        }
      }
    }
  }

  /// What is reached, and must not be lost.
  private func expect(_ reading: Reading, _ title: String, isLate: Bool, evidence: Bool) {
    let worst = reading.misses.sorted { $0 > $1 }.suffix(6).joined(separator: "\n")
    #expect(reading.single.accuracy >= 0.945, "\(title)\n\(worst)")
    #expect(reading.single.wrongOfCertain <= (isLate ? 0.0125 : 0.007), "\(title)\n\(worst)")
    #expect(reading.merged.accuracy >= 0.79, "\(title)\n\(worst)")
    #expect(
      reading.merged.certainWrong <= max(2, reading.merged.count / 70), "\(title)\n\(worst)")
    // A pair that is told to hold several acts is never certain.
    if evidence { #expect(reading.merged.certain == 0, "\(title)") }
  }
}
