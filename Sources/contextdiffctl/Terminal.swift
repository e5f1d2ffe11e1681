import ContextDiffConsole
import Glibc

/// The terminal as a screen of which each key is heard at once; as it was before when this is over,
/// whatever ends it.
final class Terminal {
  /// What happened.
  enum Event {
    case bytes([UInt8])
    case resized
    /// Nothing came for a moment.
    case quiet
    /// The terminal is gone, or a signal asks to end.
    case ended(signal: CInt?)
  }

  private let before: termios
  private let signals: SignalPipe

  /// Takes the terminal of standard input and standard output.
  init() throws {
    var attributes = termios()
    // Unsafe: C fills the attributes before it returns.
    guard isatty(STDOUT_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &attributes) == 0 else {
      throw Failure("try needs a terminal: neither standard input nor output may be redirected")
    }
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
    // The other screen; pastes are told apart from typing.
    put("\u{1B}[?1049h\u{1B}[?2004h")
  }

  /// Gives the terminal back.
  func restore() {
    put("\u{1B}[?2004l\u{1B}[?1049l")
    var attributes = before
    // Unsafe: C reads the attributes before it returns.
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
  }

  /// How large it is.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    // Unsafe: C fills the size before it returns.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Waits for something to happen; for a moment only where `isBrief`.
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
    // Unsafe: C fills no more than the bytes that there are.
    let length = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    return length > 0 ? .bytes(Array(bytes[..<length])) : .ended(signal: nil)
  }

  /// Shows a screen, all of it in one write.
  func show(_ frame: TryScreen.Frame) {
    var text = "\u{1B}[?25l\u{1B}[H"
    for line in frame.lines.prefix(size.rows) { text += line + "\u{1B}[K\r\n" }
    if text.hasSuffix("\r\n") { text.removeLast() }
    text += "\u{1B}[J\u{1B}[\(frame.caret.row + 1);\(frame.caret.column + 1)H\u{1B}[?25h"
    put(text)
  }

  private func put(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // Unsafe: the text's own bytes, as many as are left.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0, errno != EINTR, errno != EAGAIN { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
