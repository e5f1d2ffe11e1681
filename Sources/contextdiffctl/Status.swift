import ArgumentParser
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Status: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows who answers, what it has seen, and what it holds beside its limits.",
    usage: "contextdiffctl status [<options>]",
    discussion: """
      Counts what is the calling user's; for root and the daemon's own user, everybody's. The limits on sessions, \
      subscribers and kept events are each user's; status --json has the others.

      Example:
        contextdiffctl status --json | jq .pairsByKind
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Write the statistics as they are on the wire.")
  var json = false

  func run() async throws {
    let (info, statistics) = try await daemon.connect().answer {
      (try await $0.daemonInfo(), try await $0.statistics())
    }
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.statistics(statistics)
      output.write(json: writer.bytes)
    } else {
      let table = table(of: statistics, by: info, marking: output.isTerminal)
      let text = output.isTerminal ? table.aligned(output.palette) : table.separated()
      output.write(Array(text.utf8))
    }
    try output.flush()
  }

  // On a terminal, limits that hold for each user are marked: an administrator's counts are of all users.
  private func table(
    of statistics: Statistics, by info: DaemonInfo, marking isMarking: Bool
  ) -> Table {
    var table = Table(heading: ["what", "count", "limit"], numeric: [1, 2])
    table.rows = [
      ["version", "\(info.product) \(info.version)", ""],
      ["socket", daemon.socket, ""],
      ["instance", statistics.instance, ""],
      ["started", Timestamp(microseconds: statistics.startedAt).full, ""],
    ]
    let limits = statistics.limits
    func add(_ what: String, _ count: Int?, _ limit: String, isEachUsers: Bool = false) {
      guard let count else { return }
      let mark = isMarking && isEachUsers ? "a user's " : ""
      table.rows.append([what, "\(count)", limits[limit].map { "\(mark)\($0)" } ?? ""])
    }
    add("sessions", statistics.sessions, "sessions", isEachUsers: true)
    add("subscribers", statistics.subscribers, "subscribers", isEachUsers: true)
    add("connections", statistics.connections, "connections")
    add("bytes held", statistics.bytes, "totalBytes")
    add("events kept", statistics.eventsKept, "keptEvents", isEachUsers: true)
    table.rows += [
      ["events lost", "\(statistics.eventsLost)", ""],
      ["pairs", "\(statistics.pairs)", ""],
    ]
    // The most frequent kind first; kinds that are equally frequent by name.
    table.rows += statistics.pairsByKind.largestFirst.map {
      ["pairs: \($0.key)", "\($0.value)", ""]
    }
    return table
  }
}
