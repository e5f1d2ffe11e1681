import ArgumentParser
import CLinux
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc
import Varlink

/// The root command, which runs the subcommand and turns its errors into a message and an exit status: 1 for a failure,
/// 3 where there is no daemon, 64 for wrong usage.
@main
struct ContextDiffCtl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contextdiffctl",
    abstract: "Asks contextdiffd what happened between two snapshots of the text around a caret.",
    usage: "contextdiffctl [<options>] <subcommand>",
    discussion: """
      Without --socket it talks to the daemon that CONTEXTDIFF_SOCKET names, or else to this user's own, \
      $XDG_RUNTIME_DIR/contextdiff/io.contextdiff, or, where that variable is not set either, to the \
      machine's, /run/contextdiff/io.contextdiff.

      Output is drawn for people on a terminal (NO_COLOR is respected) and plain in a pipe. The exit \
      status is 0, 1 where something failed, also where the daemon goes away meanwhile, 3 where there is \
      none, 64 where the command was used wrongly.
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
    // What people type passes through, passwords of `post --secure` too, and must not get into a file.
    clinux_forbid_core_dumps()
    // A write to a reader that has gone fails with EPIPE instead of ending the process: the code that writes then tells
    // standard output (`NoReader`) from a socket or a file, whose failure is reported.
    signal(SIGPIPE, SIG_IGN)
    if let number = CommandLine.numberOfArgumentNotUTF8 {
      writeError("Error: argument \(number) is not UTF-8.")
      _exit(ExitCode.validationFailure.rawValue)
    }
    var socket = SocketPath.standard
    do {
      // Asked for help of an unknown command, ArgumentParser shows the overview and succeeds.
      if !Set(CommandLine.arguments).isDisjoint(with: ["help", "--help", "-h"]) { tellMistake() }
      do {
        var command = try await asyncParseAsRoot()
        if let command = command as? any DaemonCommand { socket = command.daemon.socket }
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error where exitCode(for: error) == .success {
        try write(fullMessage(for: error))
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
      // The message repeats the arguments, which may hold control characters.
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines { writeError(VisibleText(line).text) }
      _exit(ExitCode.validationFailure.rawValue)
    } catch {
      exit(withError: error)
    }
  }

  /// Writes the help, the version, or what a shell completes by, which ArgumentParser would write without noticing a failure.
  private static func write(_ text: String) throws {
    guard !text.isEmpty else { return }
    var output = Output(.never)
    output.print(text)
    try output.flush()
  }

  /// Ends the process, with status 64, where the command line has a `CommandMistake`.
  private static func tellMistake() {
    guard let mistake = CommandMistake(CommandLine.arguments.dropFirst(), of: self) else { return }
    writeError(VisibleText("Error: \(mistake.message)").text)
    _exit(ExitCode.validationFailure.rawValue)
  }
}

/// The exit status where there is no daemon; a script may start it and try again.
private let noDaemonStatus: CInt = 3

/// Opens `/dev/null` as each standard descriptor that is closed, so that no socket or file gets its number.
///
/// Standard input is opened for writing, the two others for reading: their use still fails, as that of a closed
/// descriptor does.
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

/// A failure that ends the command with status 1; `message` is written behind "contextdiffctl: ".
struct Failure: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  /// A failed system call, for example "cannot open x: No such file or directory".
  ///
  /// - Parameters:
  ///   - what: What could not be done.
  ///   - number: The call's `errno`, whose text says why.
  init(_ what: String, errno number: CInt) {
    message = "\(what): \(String(errno: number))"
  }
}

extension ContextDiffError {
  /// The message and, where that is known, what to do about it; `socket` is the path of the daemon's socket.
  fileprivate func advice(for socket: String) -> String {
    if code == .permissionDenied, let group = group(of: socket) {
      return "\(message): members of the group \(group) may, from their next login on"
    }
    if code == .connectionLost {
      return "\(message): \(SocketPath.log(of: socket)) may say why"
    }
    guard code == .noDaemon else { return message }
    // `restart`, for `start` does nothing where the unit runs, though its socket's file is gone.
    if SocketPath.isMachines(socket) {
      return "\(message): start it with sudo systemctl restart contextdiffd.socket"
    }
    // Where CONTEXTDIFF_SOCKET names the socket, neither the user's unit nor `make run` listens there.
    if socket.utf8.elementsEqual(SocketPath.standard.utf8), !SocketPath.isNamed {
      return "\(message): start it with systemctl --user restart contextdiffd.socket or make run"
    }
    return "\(message): --socket, or CONTEXTDIFF_SOCKET, names it"
  }
}

/// The name of the group whose members may connect to the socket at that path; `nil` where no group may, or where the
/// socket's owner and mode cannot be read.
private func group(of socket: String) -> String? {
  var status = stat()
  // Unsafe: C reads the path, and fills the status, before it returns.
  guard unsafe stat(socket, &status) == 0, status.st_mode & S_IWGRP != 0 else { return nil }
  // Unsafe: the C library's own record, copied at once.
  return unsafe getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) }
}

/// Writes `message` to standard error as one line behind "contextdiffctl: "; line breaks and control characters in it
/// are made visible.
func complain(_ message: String) {
  writeError("contextdiffctl: \(VisibleText(message).text)")
}

/// Writes `text` and a line feed to standard error as they are.
private func writeError(_ text: String) {
  let line = Array("\(text)\n".utf8)
  // A failure is ignored: there is nowhere else to report it.
  // Unsafe: the line's own bytes, as many as it has.
  _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
