import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Post: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Posts one pair to a session, whose subscribers hear of it.",
    usage: "contextdiffctl post [<options>] <name>",
    discussion: """
      Give the pair as explain takes it; without any of the old texts it begins at the session's last post. \
      The first such post of a session only sets its baseline.

      Example:
        contextdiffctl post notes-1 --new-before 今日は
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The pair") var pair: PairOptions

  @Flag(
    help:
      "The field is a password's: nothing of the pair is kept, reported or logged. Give it on standard input, with the old texts: every user sees a command's arguments."
  )
  var secure = false

  @Flag(help: "Write the transition as it is on the wire.")
  var json = false

  @Argument(
    help: SessionName.help,
    completion: SessionName.completion, transform: SessionName.read)
  var name: SessionName

  func validate() throws {
    if secure, pair.observation != nil {
      throw ValidationError(
        "With --secure give the pair on standard input: arguments are shown to every user.")
    }
  }

  func run() async throws {
    var post = try pair.parameters(for: .post, fieldLimit: .max)
    post.secure = post.secure || secure
    let name = name.text
    let posted = try await daemon.connect().answer { [post] client in
      try await client.post(
        post.new, after: post.old, to: name, pasteboard: post.pasteboard, evidence: post.evidence,
        secure: post.secure)
    }
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.transition(posted.transition)
      output.write(json: writer.bytes)
    } else {
      let drawing = TransitionDrawing(palette: output.palette)
      let first = post.secure ? "nothing before it, and nothing kept of it" : "a baseline"
      output.print(posted.transition.map(drawing.draw) ?? first)
    }
    try output.flush()
  }
}
