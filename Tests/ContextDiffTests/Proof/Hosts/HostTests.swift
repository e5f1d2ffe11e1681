import ContextDiff
import Testing

/// Real toolkits: what they told an input method, read as sessions (MODEL, part 4; HOSTS).
@Suite struct HostTests {
  /// The floors: with what an input method on Linux knows, and from the text alone.
  ///
  /// The four recordings are those that the rules were made with; `readsWhatOtherSessionsShow` has others.
  struct Least {
    var clean: Double
    var across: Double
    var certainWrong: Double
  }

  static let withEvidence = Least(clean: 0.98, across: 0.95, certainWrong: 0.002)
  static let withText = Least(clean: 0.95, across: 0.88, certainWrong: 0.015)

  @Test(arguments: [Window.full, nil], [false, true])
  func readsWhatHostsShow(_ window: Window?, _ evidence: Bool) throws {
    try expect(
      evidence ? Self.withEvidence : Self.withText, of: HostRecording.names, "made-with",
      HostReplay.Told(window: window, evidence: evidence))
  }

  /// The floors of the recordings that no weight was made from.
  ///
  /// They are what is reached, which is below what is wanted.
  static let heldOutWithEvidence = Least(clean: 0.97, across: 0.915, certainWrong: 0.002)
  static let heldOutWithText = Least(clean: 0.95, across: 0.84, certainWrong: 0.002)

  @Test(arguments: [Window.full, nil], [false, true])
  func readsWhatOtherSessionsShow(_ window: Window?, _ evidence: Bool) throws {
    try expect(
      evidence ? Self.heldOutWithEvidence : Self.heldOutWithText, of: HostRecording.heldOut,
      "held-out", HostReplay.Told(window: window, evidence: evidence))
  }

  /// What explains a pair says of it what the session then does, in each of the recordings.
  @Test(arguments: HostRecording.names + HostRecording.heldOut)
  func explainsWhatItSays(_ name: String) throws {
    let classifier = Classifier()
    var session = Session()
    for row in try HostRecording(named: name).rows {
      let new = Snapshot(before: row.new.before, selected: row.new.selected, after: row.new.after)
      let explained = session.explain(
        new: new, pasteboard: row.pasteboard, evidence: Evidence(window: .full), with: classifier)
      let said = session.post(
        new: new, pasteboard: row.pasteboard, evidence: Evidence(window: .full), with: classifier)
      #expect(explained?.transition.kind == said?.kind, "\(row.how)")
      #expect(explained?.transition.alternatives == said?.alternatives, "\(row.how)")
    }
  }

  private func expect(
    _ least: Least, of names: [String], _ half: String, _ told: HostReplay.Told
  ) throws {
    let title =
      "\(half) \(told.window?.rawValue ?? "untold")\(told.evidence ? " +evidence" : "")"
    var all = HostReplay()
    for name in names {
      let replay = HostReplay(try HostRecording(named: name), told: told)
      print(replay.line("host \(name) \(title)"))
      all.add(replay)
    }
    print(all.line("hosts \(title)"))
    if Report.isLong { for miss in all.misses { print("    ", miss) } }
    let misses = all.misses.prefix(8).joined(separator: "\n")
    #expect(all.all.share >= least.clean, "\(misses)")
    #expect(all.across.share >= least.across, "\(misses)")
    #expect(all.all.certainWrongShare <= least.certainWrong, "\(misses)")
  }

  @Test(arguments: [false, true])
  func readsAsWellUntold(_ evidence: Bool) throws {
    var shares: [Double] = []
    for window in [Window.full, nil] {
      var all = HostReplay()
      for name in HostRecording.names {
        all.add(
          HostReplay(
            try HostRecording(named: name),
            told: HostReplay.Told(window: window, evidence: evidence)))
      }
      shares.append(all.all.share)
    }
    #expect(abs(shares[0] - shares[1]) <= 0.01)
  }

  @Test(arguments: [
    ("firefox-english", Window.line), ("mousepad-english", .line), ("qt6-plain-japanese", .line),
    ("gtk4-code", .full),
  ])
  func learnsHowHostsCut(_ name: String, _ window: Window) throws {
    let replay = HostReplay(
      try HostRecording(named: name), told: HostReplay.Told(window: nil, evidence: true))
    #expect(replay.window == window)
  }
}
