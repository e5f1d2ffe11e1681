import ContextDiffConsole
import Dispatch
import Glibc
import Synchronization

/// Collects what a command writes to standard output or to a file, and writes it when `flush` is called.
struct Output {
  /// Whether it goes to a terminal.
  let isTerminal: Bool
  /// The colours, or none: as `--color` says.
  ///
  /// `auto` colours on a terminal, unless `NO_COLOR` is set and not empty, or `TERM` is `dumb` or not set.
  let palette: Palette
  /// How many columns the terminal has; 80 where there is none, or it does not say.
  let columns: Int

  private let descriptor: CInt
  /// Whether it is a file that this made, so that nothing else is in it.
  private let isOwn: Bool
  /// What messages call the output: "standard output", or the file's path.
  private let name: String
  /// What was added and not yet written.
  private var pending: [UInt8] = []

  /// Output to standard output.
  init(_ color: OutputOptions.Color) {
    self.init(descriptor: STDOUT_FILENO, isOwn: false, name: "standard output", color: color)
  }

  /// Makes the file at `path`, and opens it for writing.
  ///
  /// Only this user can read the file, for it may hold what was typed. A pipe or a device at `path` is opened as it is, if it
  /// is this user's or root's: another user may have put it there.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - overwriting: Whether a file that is there is emptied, or replaced where others could open it; else it is an error.
  /// - Throws: `Failure` where the file is there, is another user's, or cannot be opened or made this user's alone;
  ///   `CancellationError` where the task is cancelled while nobody reads the pipe.
  init(creating path: String, overwriting: Bool) throws {
    // Opening a pipe waits for its reader in open(2), which no signal would end: it is asked for again instead.
    let mode = O_WRONLY | O_CLOEXEC | O_NONBLOCK
    // Unsafe: C reads the path, and fills the status, before each call returns.
    var descriptor = unsafe open(path, mode | O_CREAT | (overwriting ? 0 : O_EXCL), 0o600)
    var failure = errno
    if descriptor < 0, failure == EEXIST, let kind = Self.kind(of: path), kind != S_IFREG {
      descriptor = unsafe open(path, mode)
      failure = errno
    }
    while descriptor < 0, failure == ENXIO, Self.kind(of: path) == S_IFIFO {
      try Task.checkCancellation()
      usleep(50_000)
      descriptor = unsafe open(path, mode)
      failure = errno
    }
    if descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      guard failure == EEXIST else { throw Failure("cannot write to \(path)", errno: failure) }
      throw Failure("\(path) is there already: --force overwrites it")
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw Failure("cannot use \(path)", errno: errno) }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    guard status.st_uid == geteuid() || !isFile && status.st_uid == 0 else {
      throw Failure("\(path) is another user's")
    }
    if isFile, status.st_mode & 0o077 != 0 {
      // Whoever has it open goes on reading it, whatever its mode.
      close(descriptor)
      descriptor = unsafe unlink(path) == 0 ? open(path, mode | O_CREAT | O_EXCL, 0o600) : -1
      if descriptor < 0 { throw Failure("cannot replace \(path)", errno: errno) }
    } else if isFile, ftruncate(descriptor, 0) != 0 {
      throw Failure("cannot empty \(path)", errno: errno)
    }
    self.init(descriptor: descriptor, isOwn: true, name: path, color: .never)
  }

  /// What kind of file `path` names (`S_IFMT`); `nil` where it names nothing that is there.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private init(descriptor: CInt, isOwn: Bool, name: String, color: OutputOptions.Color) {
    self.descriptor = descriptor
    self.isOwn = isOwn
    self.name = name
    isTerminal = isatty(descriptor) == 1
    // Unsafe: the environment's own texts, read at once.
    let wantsColour = unsafe (getenv("NO_COLOR").map { unsafe $0.pointee == 0 } ?? true)
    let isDumb = unsafe getenv("TERM").map { unsafe String(cString: $0) == "dumb" } ?? true
    palette =
      switch color {
      case .auto: isTerminal && wantsColour && !isDumb ? .coloured : .plain
      case .always: .coloured
      case .never: .plain
      }
    columns = Terminal.size(of: descriptor).columns
  }

  /// Adds a line and its line feed.
  mutating func print(_ line: String) {
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds a line, which is cut to the terminal's width where the output goes to a terminal.
  mutating func print(fitted line: String) {
    print(isTerminal ? Palette.fit(line, columns: columns) : line)
  }

  /// Adds a sentence, which is broken at its spaces where the output goes to a terminal.
  mutating func print(prose: String) {
    guard isTerminal else { return print(prose) }
    var line = ""
    var width = 0
    for word in prose.split(separator: " ") {
      let columns = VisibleText(String(word)).columns
      if width > 0, width + 1 + columns > self.columns {
        print(line)
        (line, width) = ("", 0)
      }
      line += width > 0 ? " \(word)" : word
      width += width > 0 ? columns + 1 : columns
    }
    print(line)
  }

  /// Adds bytes as they are.
  mutating func write(_ bytes: [UInt8]) {
    pending.append(contentsOf: bytes)
  }

  /// Adds JSON, with what would control a terminal escaped where the output goes to one.
  mutating func write(json: [UInt8]) {
    write(isTerminal ? TerminalJSON.escaped(json) : json)
  }

  /// Writes all that was added since the last call, and waits until it is written; what fails to be written is lost.
  ///
  /// Of what fails, a file that this made holds no part.
  ///
  /// - Throws: `NoReader` where standard output is a pipe or a socket that nobody reads any more; `Failure` where the
  ///   output cannot be written for another reason.
  mutating func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    // Below 0 for a pipe or a device, which cannot be shortened.
    let end = isOwn ? lseek(descriptor, 0, SEEK_CUR) : -1
    let failure = Self.write(pending, to: descriptor)
    if failure != 0, end >= 0 { ftruncate(descriptor, end) }
    if failure == EPIPE, descriptor == STDOUT_FILENO { throw NoReader() }
    if failure != 0 { throw Failure("cannot write to \(name)", errno: failure) }
  }

  /// Writes all of `bytes` to `descriptor`, and waits until they are written.
  ///
  /// - Returns: 0, or the `errno` of the write(2) that failed.
  static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    var written = 0
    while written < bytes.count {
      // Unsafe: the bytes that are not yet written, as many as there are.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // The descriptor is non-blocking, as another process that shares it may make it: waits for room.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Unsafe: C fills the one descriptor's events before it returns.
        unsafe poll(&room, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// Nobody reads standard output any more, which ends the process by SIGPIPE (`endWithoutReader`).
struct NoReader: Error {}

/// Ends the process by SIGPIPE, without a message, as it ends other tools whose reader has gone.
///
/// Until then the process ignores SIGPIPE, which a daemon's closed socket would cause, too.
func endWithoutReader() -> Never {
  signal(SIGPIPE, SIG_DFL)
  raise(SIGPIPE)
  // Reached where the parent process has SIGPIPE blocked.
  _exit(EXIT_FAILURE)
}

/// Ends the process by `endWithoutReader` as soon as nobody reads standard output any more.
///
/// A write would tell as much, but for a long time there may be nothing to write.
final class ReaderWatch: Sendable {
  private let isOver = Atomic(false)

  /// Begins to watch, on a thread of its own.
  init() {
    DispatchQueue(label: "reader watch").async { [self] in
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      // Unsafe: C fills the one descriptor's events before it returns.
      while unsafe poll(&output, 1, -1) < 0 { if errno != EINTR { return } }
      // These events come where the reader of a pipe or a socket has gone; never for a file. A closed descriptor shows
      // when it is written to.
      if output.revents & Int16(POLLERR | POLLHUP) == 0 { return }
      if !isOver.load(ordering: .sequentiallyConsistent) { endWithoutReader() }
    }
  }

  /// Ends the watch; called before the last line is written, for a reader that leaves after that line has had all.
  func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
}
