import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws one pair of snapshots, and shows why it is read as it is.",
    usage: "contextdiffctl explain [<options>]",
    discussion: """
      Works in this process, without a daemon. Give the pair by options (what is left out is null), or as \
      one JSON object on standard input, as classify takes it. With --session, give lines as record writes them \
      or classify takes them: the last is explained with what the lines of its session before it showed, and with \
      what was announced.

      Example:
        contextdiffctl explain --old-before アイウ。 --new-before エ
        head -n 12 notes.jsonl | contextdiffctl explain --session
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The pair") var pair: PairOptions

  @Flag(help: "Explain the last line of standard input with what the lines before it showed.")
  var session = false

  @Flag(help: "Show each line of the published list, and what it compared.")
  var list = false

  @Flag(help: "Write the explanation as JSON.")
  var json = false

  func validate() throws {
    if session, pair.observation != nil {
      throw ValidationError("Give the pair by options, or --session with lines on standard input.")
    }
  }

  func run() throws {
    let (observation, explanation) = try session ? explainLastLine() : explainPair()
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.explanation(explanation)
      output.write(json: writer.bytes)
    } else {
      let drawing = ExplanationDrawing(
        palette: output.palette, columns: output.columns, showsList: list)
      for line in drawing.draw(observation, explanation) { output.print(line) }
      output.print("")
      output.print(prose: ExplanationSentence(observation, explanation).text)
    }
    try output.flush()
  }
}

extension Explain {
  /// Explains the pair that the options or standard input give, by itself.
  private func explainPair() throws -> (Observation, Explanation) {
    let observation = Observation(
      try pair.parameters(for: .classify, fieldLimit: LocalSessions.textLimit))
    return (observation, Classifier().explain(observation))
  }

  /// One session of the input, as its lines so far have shown it.
  private struct Seen {
    /// Has been posted all pairs but `last`.
    var session = Session()
    /// The pair of the session's latest line, which is explained if no other line follows.
    var last: PairParameters?
    /// What the lines announced, `last`'s included; all of it is announced to `session` already.
    var announcements = RecordedAnnouncements()
  }

  /// Explains the pair of the last line of standard input, in a session that remembers the lines before it that name
  /// the same session.
  ///
  /// - Throws: `Failure` where a line is no pair, or the last line has no snapshot before it.
  private func explainLastLine() throws -> (Observation, Explanation) {
    var input = try Input(nil)
    var reader = LineReader()
    let classifier = Classifier()
    var sessions: [SessionName?: Seen] = [:]
    var name: SessionName?
    for line in try input.allLines() {
      do throws(LineError) {
        let said = try reader.pair(
          line.bytes.get(), window: pair.window, for: .explain,
          fieldLimit: LocalSessions.textLimit)
        var pair = said.parameters
        name = said.session.map { SessionName($0) }
        var seen = sessions.removeValue(forKey: name) ?? Seen()
        if let last = seen.last { _ = seen.session.post(last, with: classifier) }
        if pair.old == nil { seen.session.lendLatest { pair.old = Snapshot($0) } }
        seen.announcements.announce(
          before: said.announced, from: pair.old, to: pair.new, in: &seen.session, with: classifier)
        seen.last = pair
        sessions[name] = seen
      } catch {
        throw Failure("standard input: line \(line.number): \(error)")
      }
    }
    guard let seen = sessions[name], let last = seen.last,
      let explanation = seen.session.explain(last, with: classifier)
    else {
      throw Failure("standard input: no pair to explain, but a baseline at most")
    }
    return (Observation(last), explanation)
  }
}
