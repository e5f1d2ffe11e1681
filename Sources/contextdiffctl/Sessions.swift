import ArgumentParser
import ContextDiffClient
import ContextDiffConsole

struct Sessions: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists this user's sessions, the one last posted to first.",
    discussion: """
      Example:
        contextdiffctl sessions | head -n 1
      """)

  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Write one JSON array.")
  var json = false

  func run() async throws {
    let sessions = try await daemon.connect().sessions()
    var output = Output.standard
    if json {
      var writer = LineWriter()
      writer.list(sessions)
      output.write(writer.bytes)
    } else {
      for session in sessions { output.print(VisibleText(session.name).text) }
    }
    try output.flush()
  }
}

struct Forget: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends a session: what was kept of it is forgotten.",
    discussion: """
      Example:
        contextdiffctl forget notes-1
      """)

  @OptionGroup var daemon: DaemonOptions

  @Argument(help: "The session's name.")
  var name: SessionName

  func run() async throws {
    try await daemon.connect().forget(name.name)
  }
}
