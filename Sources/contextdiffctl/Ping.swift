import ArgumentParser
import ContextDiffClient
import ContextDiffConsole

struct Ping: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks whether a daemon answers, and how soon.",
    usage: "contextdiffctl ping [<options>]",
    discussion: """
      Example:
        contextdiffctl ping || systemctl --user restart contextdiffd.socket
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let (info, took) = try await daemon.answer { [socket = daemon.socket] in
      let client = try await ContextDiffClient.connect(to: socket)
      let start = ContinuousClock.now
      let info = try await client.daemonInfo()
      return (info, (ContinuousClock.now - start) / .milliseconds(1))
    }
    var output = output.standard
    let rounded = (took * 1_000).rounded() / 1_000
    output.print(
      "\(VisibleText(info.product).text) \(VisibleText(info.version).text) on "
        + "\(VisibleText(daemon.socket).text): \(rounded) ms")
    try output.flush()
  }
}
