import ContextDiffConsole
import Dispatch
import Glibc
import Synchronization

/// Standard output, or a file in its place: collected, written when asked.
struct Output {
  /// Whether a person looks at it.
  let isTerminal: Bool
  /// Coloured for a terminal that wants it.
  let palette: Palette
  /// How many columns a line has; 80 where nobody says.
  let columns: Int

  private let descriptor: CInt
  private let name: String
  private var pending: [UInt8] = []

  /// Standard output.
  init(_ color: OutputOptions.Color) {
    self.init(descriptor: STDOUT_FILENO, name: "standard output", color: color)
  }

  /// A file made for this user alone: it may hold what was typed.
  ///
  /// One that is there is an error, unless it is to be overwritten, or is a pipe or a device.
  init(creating path: String, overwriting: Bool) throws {
    let mode = O_WRONLY | O_CREAT | O_CLOEXEC | (overwriting ? O_TRUNC : O_EXCL)
    // Unsafe: C reads the path, and fills the status, before each call returns.
    var descriptor = unsafe open(path, mode, 0o600)
    if descriptor < 0, errno == EEXIST, !Self.isRegular(path) {
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw Failure("cannot write to \(path)", errno: errno) }
      throw Failure("\(path) is there already: --force overwrites it")
    }
    // One that was there keeps its mode; a pipe or a device is not ours to close to others.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0
    {
      throw Failure("cannot make \(path) this user's alone", errno: errno)
    }
    self.init(descriptor: descriptor, name: path, color: .never)
  }

  /// Whether the path names a file of bytes, as opposed to a pipe or a device.
  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private init(descriptor: CInt, name: String, color: OutputOptions.Color) {
    self.descriptor = descriptor
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
    var size = winsize()
    // Unsafe: C fills the size before it returns.
    let isSized =
      unsafe isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = isSized ? Int(size.ws_col) : 80
  }

  /// Adds a line.
  mutating func print(_ line: String) {
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds a line, on a terminal none that is wider.
  mutating func print(fitted line: String) {
    print(isTerminal ? Palette.fit(line, columns: columns) : line)
  }

  /// Adds bytes as they are.
  mutating func write(_ bytes: [UInt8]) {
    pending.append(contentsOf: bytes)
  }

  /// Writes what was added.
  ///
  /// - Throws: `NoReader` where nobody reads standard output any more.
  mutating func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    var written = 0
    while written < pending.count {
      // Unsafe: the bytes that are not yet written, as many as there are.
      let count = unsafe pending.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // Somebody shares the pipe and made it non-blocking.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Unsafe: C fills the one descriptor's events before it returns.
        unsafe poll(&room, 1, -1)
      } else if errno == EPIPE, descriptor == STDOUT_FILENO {
        throw NoReader()
      } else if errno != EINTR {
        throw Failure("cannot write to \(name)", errno: errno)
      }
    }
  }
}

/// Nobody reads standard output any more, which ends the process as it would other tools.
struct NoReader: Error {}

/// Ends quietly, and so that a shell sees why: by the signal that is ignored while a socket may be
/// what nobody reads.
func endWithoutReader() -> Never {
  signal(SIGPIPE, SIG_DFL)
  raise(SIGPIPE)
  // Where whoever started this has it blocked.
  _exit(EXIT_FAILURE)
}

/// Ends the process so as soon as nobody reads standard output any more, be it that nothing is written for a long time.
final class ReaderWatch: Sendable {
  private let isOver = Atomic(false)

  init() {
    DispatchQueue(label: "reader watch").async { [self] in
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      // Unsafe: C fills the one descriptor's events before it returns.
      while unsafe poll(&output, 1, -1) < 0 { if errno != EINTR { return } }
      // Of a pipe or a socket whose reader has gone; a file is never like that, and a closed descriptor shows when it is
      // written to.
      if output.revents & Int16(POLLERR | POLLHUP) == 0 { return }
      if !isOver.load(ordering: .sequentiallyConsistent) { endWithoutReader() }
    }
  }

  /// Before the last that is written: a reader that goes once it has that has all.
  func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
}
