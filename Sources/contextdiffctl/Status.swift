import ArgumentParser
import ContextDiffClient
import ContextDiffConsole

struct Status: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what the daemon has seen and holds.",
    discussion: """
      For the calling user; as root or the daemon's own user, for all.

      Example:
        contextdiffctl status --json | jq .pairsByKind
      """)

  @OptionGroup var daemon: DaemonOptions

  @Flag(help: "Write the statistics as they are on the wire.")
  var json = false

  func run() async throws {
    let statistics = try await daemon.connect().statistics()
    var output = Output.standard
    if json {
      var writer = LineWriter()
      writer.statistics(statistics)
      output.write(writer.bytes)
    } else {
      let table = table(of: statistics)
      let text = output.isTerminal ? table.aligned(output.palette) : table.separated()
      output.write(Array(text.utf8))
    }
    try output.flush()
  }

  private func table(of statistics: Statistics) -> Table {
    var table = Table(heading: ["what", "count"], numeric: [1])
    table.rows = [
      ["instance", statistics.instance],
      ["started", Timestamp(microseconds: statistics.startedAt).full],
      ["sessions", "\(statistics.sessions)"],
      ["subscribers", "\(statistics.subscribers)"],
      ["connections", "\(statistics.connections)"],
      ["events kept", "\(statistics.eventsKept)"],
      ["events lost", "\(statistics.eventsLost)"],
      ["pairs", "\(statistics.pairs)"],
    ]
    // The most frequent kind first; those as frequent by name.
    let kinds = statistics.pairsByKind.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    table.rows += kinds.map { ["pairs: \($0.key)", "\($0.value)"] }
    return table
  }
}
