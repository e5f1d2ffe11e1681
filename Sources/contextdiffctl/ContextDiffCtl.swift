import ArgumentParser
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// The command, and how each of its ends becomes an exit status: 0, 1 for what failed, 3 where there
/// is no daemon, 64 for wrong usage.
@main
struct ContextDiffCtl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contextdiffctl",
    abstract: "Asks contextdiffd what happened between two snapshots of the text around a caret.",
    discussion: """
      Without --socket it talks to the daemon that CONTEXTDIFF_SOCKET names, or else to this user's own, \
      $XDG_RUNTIME_DIR/contextdiff/io.contextdiff, or, where that variable is not set either, to the \
      machine's, /run/contextdiff/io.contextdiff.

      Output is drawn for people on a terminal (NO_COLOR is respected) and plain in a pipe. The exit \
      status is 0, 1 where something failed, 3 where there is no daemon, 64 where the command was used \
      wrongly.
      """,
    version: contextdiffVersion,
    subcommands: [
      Classify.self, Monitor.self, Explain.self, Record.self, Replay.self, Try.self,
      PlaygroundCommand.self,
      Post.self, Expect.self, Withdraw.self, Status.self, Sessions.self, Forget.self, Ping.self,
    ])

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  static func main() async {
    holdStandardDescriptors()
    // A reader that goes away shows as EPIPE where something is written: of a socket or a file it is
    // told like any other failure.
    signal(SIGPIPE, SIG_IGN)
    if let number = argumentThatIsNoText() {
      writeError("Error: argument \(number) is not UTF-8.")
      _exit(ExitCode.validationFailure.rawValue)
    }
    var socket = SocketPath.standard
    do {
      // The library shows help of a command that there is not as the overview, and succeeds.
      if !Set(CommandLine.arguments).isDisjoint(with: ["help", "--help", "-h"]) { tellMistake() }
      var command = try await asyncParseAsRoot()
      if let command = command as? any DaemonCommand { socket = command.daemon.socket }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch is NoReader {
      endWithoutReader()
    } catch let failure as Failure {
      complain(failure.message)
      _exit(EXIT_FAILURE)
    } catch let error as ContextDiffError {
      complain(error.advice(for: socket))
      _exit(error.code == .noDaemon ? noDaemonStatus : EXIT_FAILURE)
    } catch let error where exitCode(for: error) == .validationFailure {
      tellMistake()
      // It repeats what was given.
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines { writeError(VisibleText(line).text) }
      _exit(ExitCode.validationFailure.rawValue)
    } catch {
      exit(withError: error)
    }
  }

  /// Ends the process where the command that was given is none.
  private static func tellMistake() {
    guard let mistake = CommandMistake(CommandLine.arguments.dropFirst(), of: self) else { return }
    writeError(VisibleText("Error: \(mistake.message)").text)
    _exit(ExitCode.validationFailure.rawValue)
  }
}

/// The number of the first argument that is not UTF-8: it would be taken for another text, or file.
private func argumentThatIsNoText() -> Int? {
  (1..<max(1, Int(CommandLine.argc))).first { number in
    // Unsafe: the process's own arguments, each ended by a zero.
    guard let argument = unsafe CommandLine.unsafeArgv[number] else { return false }
    return unsafe String(validatingCString: argument) == nil
  }
}

/// The exit status where there is no daemon: it can be started, and the command tried again.
private let noDaemonStatus: CInt = 3

/// Takes the places of standard descriptors that were closed, so that no socket or file gets them;
/// each in the direction that is not its own, so that using it fails as it would have.
private func holdStandardDescriptors() {
  for (descriptor, mode) in [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
  ]
  where fcntl(descriptor, F_GETFD) == -1 {
    // The lowest free number is this one, because those below it are taken by now.
    // Unsafe: C reads the path before it returns.
    _ = unsafe open("/dev/null", mode)
  }
}

/// What a command could not do, in words that follow "contextdiffctl: ".
struct Failure: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  /// What the system refused: "cannot open x: No such file or directory".
  init(_ what: String, errno number: CInt) {
    // Unsafe: the C library's own text, copied at once.
    message = unsafe "\(what): \(String(cString: strerror(number)))"
  }
}

extension ContextDiffError {
  /// The message, with what to do about it where that is known.
  fileprivate func advice(for socket: String) -> String {
    if code == .permissionDenied, let group = group(of: socket) {
      return "\(message): members of the group \(group) may, from their next login on"
    }
    if code == .connectionLost {
      return "\(message): \(SocketPath.log(of: socket)) may say why"
    }
    guard code == .noDaemon else { return message }
    // A unit that runs without its socket's file is not started again by `start`.
    if SocketPath.isMachines(socket) {
      return "\(message): start it with sudo systemctl restart contextdiffd.socket"
    }
    // Where that variable names the socket, neither of these listens there.
    if socket.utf8.elementsEqual(SocketPath.standard.utf8), !SocketPath.isNamed {
      return "\(message): start it with systemctl --user restart contextdiffd.socket or make run"
    }
    return "\(message): --socket, or CONTEXTDIFF_SOCKET, names it"
  }
}

/// The group whose members may connect to a socket; `nil` where none may, or where that cannot be seen.
private func group(of socket: String) -> String? {
  var status = stat()
  // Unsafe: C reads the path, and fills the status, before it returns.
  guard unsafe stat(socket, &status) == 0, status.st_mode & S_IWGRP != 0 else { return nil }
  // Unsafe: the C library's own record, copied at once.
  return unsafe getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
}

/// Writes one line to standard error, which nothing in the message can break or make act.
func complain(_ message: String) {
  writeError("contextdiffctl: \(VisibleText(message).text)")
}

private func writeError(_ text: String) {
  let line = Array("\(text)\n".utf8)
  // There is nobody left to tell where this fails.
  // Unsafe: the line's own bytes, as many as it has.
  _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
