import ArgumentParser
import ContextDiffClient
import ContextDiffWire

/// Which daemon a command talks to, and how long it waits for an answer.
///
/// The options may stand before the subcommand or after it.
struct DaemonOptions: ParsableArguments {
  @Option(
    name: .customLong("socket"),
    help: ArgumentHelp(
      "The daemon's socket; what CONTEXTDIFF_SOCKET names, or else this user's own daemon's.",
      valueName: "path"),
    completion: .file())
  var path: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Give up when the daemon has not answered for so long; 0 to wait for ever.",
      valueName: "seconds"))
  var timeout = 10.0

  /// The path of the daemon's socket: `--socket`, else the standard one.
  var socket: String { path ?? SocketPath.standard }

  func validate() throws {
    guard path != "" else { throw ValidationError("--socket takes a path, and not an empty one.") }
    guard timeout >= 0, timeout.isFinite, timeout < 1e9 else {
      throw ValidationError("--timeout takes a number of seconds from 0 to 999999999.")
    }
  }

  /// Connects to the daemon and waits for an answer, so that a daemon that hangs is found out at once.
  ///
  /// - Throws: `Failure` where the daemon does not answer within `timeout`; `ContextDiffError` where there is none.
  func connect() async throws -> ConnectedDaemon {
    let client = try await answer { [socket] in
      let client = try await ContextDiffClient.connect(to: socket)
      _ = try await client.daemonInfo()
      return client
    }
    return ConnectedDaemon(client: client, options: self)
  }

  /// Runs `body`, which asks the daemon, for at most `timeout` seconds; without a limit where `timeout` is 0.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: `Failure` where `body` takes longer, which cancels it; else what `body` throws.
  func answer<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await within(timeout > 0 ? .seconds(timeout) : nil, body)
    } catch is DeadlineExceeded {
      throw Failure(
        "the daemon on \(socket) has not answered for \(Self.words(timeout)): it may hang, and "
          + "\(SocketPath.log(of: socket)) may say why")
    }
  }

  /// `10 s`, `0.5 s`.
  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}

/// A daemon that has answered, and how long it may take for each further answer.
struct ConnectedDaemon: Sendable {
  let client: ContextDiffClient
  fileprivate let options: DaemonOptions

  /// Runs `body`, which asks the daemon by the client, as `DaemonOptions.answer` does.
  ///
  /// A daemon that is gone by now has ended the connection, whether the client finds that out by asking or by connecting
  /// anew: `noDaemon` would have a script begin again with what is half done.
  func answer<Value: Sendable>(
    _ body: @escaping @Sendable (ContextDiffClient) async throws -> Value
  ) async throws -> Value {
    do {
      return try await options.answer { [client] in try await body(client) }
    } catch let error as ContextDiffError where error.code == .noDaemon {
      throw ContextDiffError(
        code: .connectionLost, message: "the daemon on \(client.path) ended the connection",
        cause: error)
    }
  }
}

extension SocketPath {
  /// Where to read the log of the daemon on the socket at `path`: the `journalctl` command for its unit, or "its log"
  /// where the daemon was not started by a unit of contextdiff.
  static func log(of path: String) -> String {
    if isMachines(path) { return "journalctl -u contextdiffd" }
    let isOwn = !isNamed && path.utf8.elementsEqual(standard.utf8)
    return isOwn ? "journalctl --user -u contextdiffd" : "its log"
  }
}

/// A command that talks to a daemon.
protocol DaemonCommand: AsyncParsableCommand {
  var daemon: DaemonOptions { get }
}

/// How a command's output looks; the options may stand before the subcommand or after it.
struct OutputOptions: ParsableArguments {
  /// When output is coloured.
  enum Color: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
  }

  @Option(
    help: ArgumentHelp(
      "Whether to colour: auto colours on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color = Color.auto

  /// A new, empty `Output` to standard output.
  var standard: Output { Output(color) }
}
