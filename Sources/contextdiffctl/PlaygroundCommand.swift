import ArgumentParser
import ContextDiffPlayground

struct PlaygroundCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playground",
    abstract: "Serves a page with two fields, and what an input method would see of them.",
    usage: "contextdiffctl playground [<options>]",
    discussion: """
      For browsers on this machine alone: the page is on 127.0.0.1, and its address holds a token without \
      which nothing is answered. What is typed stays in this process. Goes on until it is interrupted.

      Example:
        contextdiffctl playground --port 8080
      """)

  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The port to serve on, 65535 at most; 0 for one that is free.", valueName: "number"))
  var port: UInt16 = 0

  func run() async throws {
    let server: PlaygroundServer
    do {
      server = try await PlaygroundServer.start(port: Int(port))
    } catch let error as PlaygroundServer.CannotListen {
      throw Failure("cannot serve on port \(port)", errno: error.number)
    }
    var output = output.standard
    output.print(server.address)
    try output.flush()
    try await server.waitUntilClosed()
  }
}
