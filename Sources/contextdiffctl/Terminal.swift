import ContextDiffConsole
import Glibc

/// The terminal while `try` runs: a screen of its own, raw input that is read key by key, and signals.
///
/// Whoever made it calls `restore`, which brings back the screen and the settings that there were before. The signals
/// that end a process are events here, so that `restore` can be called before the process ends.
final class Terminal {
  /// What `next` waited for.
  enum Event {
    /// What the terminal sent, 1 to 4,096 bytes; it may end within a key's sequence.
    case bytes([UInt8])
    /// The terminal may have another size.
    case resized
    /// Nothing came in the time, or the wait was interrupted.
    case quiet
    /// A signal asks the process to end; or, where `signal` is `nil`, standard input has ended or cannot be read.
    case ended(signal: CInt?)
  }

  /// The terminal's settings before `init`.
  private let before: termios
  private let signals: SignalPipe

  /// Switches the terminal of standard input and standard output to raw input and to its alternate screen.
  ///
  /// - Throws: `Failure` where either of the two is no terminal, or the terminal or the signals cannot be used.
  init() throws {
    var attributes = try Terminal.settings()
    before = attributes
    guard let signals = SignalPipe(for: [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT]) else {
      throw Failure("no signals can be heard", errno: errno)
    }
    self.signals = signals
    // Unsafe: C fills and reads the attributes before each call returns.
    unsafe cfmakeraw(&attributes)
    guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes) == 0 else {
      throw Failure("the terminal cannot be used", errno: errno)
    }
    // 1049 is the alternate screen; 2004 brackets what is pasted, which tells it from typed text.
    put("\u{1B}[?1049h\u{1B}[?2004h")
  }

  /// The settings of the terminal of standard input.
  ///
  /// - Throws: `Failure` where standard input or standard output is no terminal.
  static func settings() throws -> termios {
    var attributes = termios()
    // Unsafe: C fills the attributes before it returns.
    guard isatty(STDOUT_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &attributes) == 0 else {
      throw Failure("try needs a terminal: neither standard input nor output may be redirected")
    }
    return attributes
  }

  /// Switches the terminal back to the screen and the settings that it had before.
  func restore() {
    put("\u{1B}[?2004l\u{1B}[?1049l")
    var attributes = before
    // Unsafe: C reads the attributes before it returns.
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
  }

  /// The terminal's size, in characters.
  var size: (columns: Int, rows: Int) { Self.size(of: STDOUT_FILENO) }

  /// The size of the terminal at `descriptor`, in characters; 80 × 24 where it does not say, or is none.
  static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
    var size = winsize()
    // Unsafe: C fills the size before it returns, or leaves it 0.
    _ = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Waits for the next event: for 50 ms at most where `isBrief`, else without a limit.
  func next(isBrief: Bool) -> Event {
    var ready = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // Unsafe: C fills the two descriptors' events before it returns.
    let count = unsafe poll(&ready, 2, isBrief ? 50 : -1)
    if count == 0 { return .quiet }
    if ready[1].revents != 0 {
      var byte: UInt8 = 0
      // Unsafe: C fills the byte before it returns.
      _ = unsafe read(signals.descriptor, &byte, 1)
      let number = CInt(byte)
      return number == SIGWINCH ? .resized : .ended(signal: number)
    }
    guard count > 0 else { return .quiet }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // Unsafe: C fills no more than `bytes` has.
    let length = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    return length > 0 ? .bytes(Array(bytes[..<length])) : .ended(signal: nil)
  }

  /// Draws `frame` over the whole screen, in one write; lines for which the screen has no room are left out.
  func show(_ frame: TryScreen.Frame) {
    var text = "\u{1B}[?25l\u{1B}[H"
    for line in frame.lines.prefix(size.rows) { text += line + "\u{1B}[K\r\n" }
    if text.hasSuffix("\r\n") { text.removeLast() }
    text += "\u{1B}[J\u{1B}[\(frame.caret.row + 1);\(frame.caret.column + 1)H\u{1B}[?25h"
    put(text)
  }

  /// Writes `text` as it is, all of it; gives up where the terminal cannot be written.
  private func put(_ text: String) {
    _ = Output.write(Array(text.utf8), to: STDOUT_FILENO)
  }
}
