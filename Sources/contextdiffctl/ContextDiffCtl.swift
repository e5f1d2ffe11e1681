import ArgumentParser
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// The command, and how each of its ends becomes an exit status: 0, 1 for what failed, 64 for wrong
/// usage.
@main
struct ContextDiffCtl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contextdiffctl",
    abstract: "Asks contextdiffd what happened between two snapshots of the text around a caret.",
    discussion: """
      Without --socket it talks to this user's own daemon, \
      $XDG_RUNTIME_DIR/contextdiff/io.contextdiff, or, where that variable is not set, to the \
      machine's, /run/contextdiff/io.contextdiff.

      Output is drawn for people on a terminal (NO_COLOR is respected) and plain in a pipe. The exit \
      status is 0, 1 where something failed, 64 where the command was used wrongly.
      """,
    version: contextdiffVersion,
    subcommands: [
      Classify.self, Monitor.self, Explain.self, Record.self, Replay.self, Status.self,
      Sessions.self, Forget.self,
    ])

  @OptionGroup var daemon: DaemonOptions

  static func main() async {
    holdStandardDescriptors()
    // A reader that goes away shows as EPIPE where something is written: of a socket or a file it is
    // told like any other failure.
    signal(SIGPIPE, SIG_IGN)
    var socket = SocketPath.standard
    do {
      var command = try parseAsRoot()
      if let command = command as? any DaemonCommand { socket = command.daemon.socket }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      complain(failure.message)
      _exit(EXIT_FAILURE)
    } catch let error as ContextDiffError {
      complain(error.advice(for: socket))
      _exit(EXIT_FAILURE)
    } catch let error where exitCode(for: error) == .validationFailure {
      // It repeats what was given.
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines { writeError(VisibleText(line).text) }
      _exit(ExitCode.validationFailure.rawValue)
    } catch {
      exit(withError: error)
    }
  }
}

/// Takes the places of standard descriptors that were closed, so that no socket or file gets them;
/// each in the direction that is not its own, so that using it fails as it would have.
private func holdStandardDescriptors() {
  for (descriptor, mode) in [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
  ]
  where fcntl(descriptor, F_GETFD) == -1 {
    // The lowest free number is this one, because those below it are taken by now.
    _ = open("/dev/null", mode)
  }
}

/// Which daemon a command talks to; may stand before the command or after it.
struct DaemonOptions: ParsableArguments {
  @Option(name: .customLong("socket"), help: "The daemon's socket.", completion: .file())
  var path: String?

  /// The socket's path.
  var socket: String { path ?? SocketPath.standard }

  func connect() async throws -> ContextDiffClient {
    try await ContextDiffClient.connect(to: socket)
  }
}

/// A command that talks to a daemon.
protocol DaemonCommand: AsyncParsableCommand {
  var daemon: DaemonOptions { get }
}

/// What a command could not do, in words that follow "contextdiffctl: ".
struct Failure: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  /// What the system refused: "cannot open x: No such file or directory".
  init(_ what: String, errno number: CInt) {
    message = "\(what): \(String(cString: strerror(number)))"
  }
}

extension ContextDiffError {
  /// The message, with what to do about it where that is known.
  fileprivate func advice(for socket: String) -> String {
    guard code == .noDaemon else { return message }
    // The folder of the machine's daemon; any other is somebody's own.
    let isMachines = socket.utf8.starts(with: "/run/contextdiff/".utf8)
    let start =
      isMachines
      ? "sudo systemctl start contextdiffd.socket"
      : "systemctl --user start contextdiffd.socket or make run"
    return "\(message): start it with \(start)"
  }
}

/// Writes one line to standard error, which nothing in the message can break or make act.
func complain(_ message: String) {
  writeError("contextdiffctl: \(VisibleText(message).text)")
}

private func writeError(_ text: String) {
  let line = Array("\(text)\n".utf8)
  // There is nobody left to tell where this fails.
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
