import ContextDiff
import Testing

/// How a session read a recording of a host.
struct HostReplay {
  /// What an input method may tell besides the snapshots.
  struct Told: Hashable {
    var window: Window? = .full
    /// Keys, and whether selections are shown.
    var evidence = false
    /// Whether several keys went before the news came.
    var merged = false
    /// Whether of a shortcut it is not known which one it was.
    var anyShortcut = false
    /// Whether the input method announces what it puts in, as each does that tells of the readings.
    var announces = false

    /// What is told of a row's key.
    func key(of row: HostRecording.Row) -> Key? {
      if !evidence { return nil }
      switch row.keyClass {
      case .undo, .redo, .cut, .paste: return anyShortcut ? .shortcut : row.keyClass
      case .unpressed, .character, .return, .backspace, .delete, .caret, .shortcut:
        return row.keyClass
      }
    }
  }

  struct Counts {
    var count = 0
    var right = 0
    var named = 0
    var certain = 0
    var certainWrong = 0

    var share: Double { count == 0 ? 1 : Double(right) / Double(count) }
    var certainWrongShare: Double { certain == 0 ? 0 : Double(certainWrong) / Double(certain) }

    mutating func add(_ isRight: Bool, named isNamed: Bool, certain isCertain: Bool) {
      count += 1
      if isRight { right += 1 }
      if isNamed { named += 1 }
      if isCertain { certain += 1 }
      if isCertain, !isRight { certainWrong += 1 }
    }

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        count: left.count + right.count, right: left.right + right.right,
        named: left.named + right.named, certain: left.certain + right.certain,
        certainWrong: left.certainWrong + right.certainWrong)
    }
  }

  var within = Counts()
  var across = Counts()
  var misses: [String] = []
  var all: Counts { within + across }
  /// What the session took the window for.
  var window: Window?

  init(_ recording: HostRecording, told: Told) {
    let classifier = Classifier()
    var session = Session()
    for (number, row) in recording.rows.enumerated() {
      // What Firefox shows of a commit before its text: an input method is not told.
      if row.input == "held back" { continue }
      var new = Snapshot(
        before: row.new.before, selected: row.new.selected, after: row.new.after)
      if told.evidence, recording.hidesSelections { new.selectionShown = false }
      if told.announces, session.pairs > 0, let text = row.committed {
        do {
          try session.expect(edit: Edit(insert: text), with: classifier)
        } catch {
          Issue.record("\(recording.name) #\(number): \(error)")
        }
      }
      let said = session.post(
        new: new, pasteboard: row.pasteboard,
        evidence: Evidence(
          window: told.window, key: told.key(of: row), merged: told.merged && row.keys ?? 0 > 1),
        with: classifier)
      window = session.hostWindow
      guard recording.isClean(row) else { continue }
      guard let said else {
        Issue.record("\(recording.name) #\(number) was not read")
        continue
      }
      let isRight = row.isRight(said.kind)
      let isCertain = said.certainty == .certain
      let isNamed = row.isNamed(said)
      if row.crossesLine ?? false {
        across.add(isRight, named: isNamed, certain: isCertain)
      } else {
        within.add(isRight, named: isNamed, certain: isCertain)
      }
      if !isRight {
        let old = row.old.map {
          Snapshot(before: $0.before, selected: $0.selected, after: $0.after)
        }
        misses.append(
          "\(recording.name) #\(number) {\(row.how)} "
            + "\(drawn(old ?? Snapshot())) → \(drawn(new))  is \(row.truth ?? ""), "
            + "says \(drawn(said))")
      }
    }
  }

  init() {}

  mutating func add(_ other: HostReplay) {
    within = within + other.within
    across = across + other.across
    misses += other.misses
  }

  func line(_ title: String) -> String {
    func part(_ counts: Counts) -> String {
      "\(counts.right)/\(counts.count) \(rounded(100 * counts.share, 1))%"
    }
    return title.padded(52) + "clean " + part(all).padded(16) + "within " + part(within).padded(16)
      + "across " + part(across).padded(14) + "named \(all.named) certain \(all.certain) wrong "
      + "\(all.certainWrong)"
  }
}
