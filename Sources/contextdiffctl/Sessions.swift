import ArgumentParser
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Sessions: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists this user's sessions, the one last posted to first.",
    usage: "contextdiffctl sessions [<options>]",
    discussion: """
      The columns are its name, how its host cuts the text (told, or learnt from what it showed), how many pairs it \
      had, the bytes that its text takes in memory, how many announced edits wait, and how long ago it was last posted to.

      Example:
        contextdiffctl sessions | cut -f 1
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Write one JSON array.")
  var json = false

  func run() async throws {
    let sessions = try await daemon.connect().answer { try await $0.sessions() }
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.list(sessions)
      output.write(json: writer.bytes)
    } else {
      let table = table(of: sessions)
      let text = output.isTerminal ? table.aligned(output.palette) : table.separated()
      output.write(Array(text.utf8))
    }
    try output.flush()
  }

  private func table(of sessions: [SessionInfo]) -> Table {
    var table = Table(
      heading: ["session", "window", "pairs", "bytes", "expecting", "last post"],
      numeric: [2, 3, 4])
    let now = Timestamp.now
    table.rows = sessions.map { session in
      let window = session.window.map { $0.rawValue + (session.windowLearnt ? " (learnt)" : "") }
      return [
        session.name, window ?? "not known", "\(session.pairs)", "\(session.bytes)",
        "\(session.expecting)", Timestamp.age(of: session.time, at: now),
      ]
    }
    return table
  }
}

struct Forget: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends sessions: what was kept of them is forgotten.",
    usage: "contextdiffctl forget [<options>] [<names> ...]",
    discussion: """
      Where one of the names has no session, the others are ended all the same; the exit status is 1 then.

      Example:
        contextdiffctl forget notes-1 notes-2
      """)

  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "End all of this user's sessions.")
  var all = false

  @Argument(
    help: "The sessions' names.", completion: SessionName.completion, transform: SessionName.read)
  var names: [SessionName] = []

  func validate() throws {
    guard all == names.isEmpty else {
      throw ValidationError(all ? "Give --all or names, not both." : "Give a name, or --all.")
    }
  }

  func run() async throws {
    let daemon = try await daemon.connect()
    var sessions = names.map(\.text)
    if all { sessions = try await daemon.answer { try await $0.sessions().map(\.name) } }
    var isMissing = false
    for session in sessions {
      do {
        try await daemon.answer { try await $0.forget(session) }
      } catch let error as ContextDiffError where error.code == .noSuchSession {
        // With --all, a session that ended after it was listed is no mistake.
        guard !all else { continue }
        complain(error.message)
        isMissing = true
      }
    }
    if isMissing { throw ExitCode.failure }
  }
}
