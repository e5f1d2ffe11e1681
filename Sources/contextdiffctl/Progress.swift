import ContextDiffConsole
import Glibc

/// Shows on standard error how far a command has read its input.
///
/// Shows nothing unless standard error is a terminal and standard output is not: else the answers show it.
struct Progress {
  private let isShown: Bool
  private let totalBytes: Int
  private let columns: Int
  private let start = ContinuousClock.now
  private var shownAt = ContinuousClock.now
  private var wasShown = false

  /// The progress at the start of an input of `totalBytes` bytes; 0 where its size is not known.
  init(totalBytes: Int) {
    self.totalBytes = totalBytes
    isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0
    columns = Terminal.size(of: STDERR_FILENO).columns
  }

  /// Shows the progress on one line, four times a second at most; further calls do nothing.
  ///
  /// - Parameters:
  ///   - lines: How many lines have been read.
  ///   - bytes: How many bytes have been read; tells the time left where the input's size is known.
  mutating func show(lines: Int, bytes: Int) {
    guard isShown, ContinuousClock.now - shownAt > .milliseconds(250) else { return }
    shownAt = .now
    wasShown = true
    let seconds = (shownAt - start) / .seconds(1)
    var text = "\(Self.grouped(lines)) lines  \(Self.grouped(Int(Double(lines) / seconds)))/s"
    if totalBytes > 0, bytes > 0 {
      let left = seconds * Double(totalBytes - bytes) / Double(bytes)
      text += "  \(bytes * 100 / totalBytes) %  \(Self.words(seconds: Int(left.rounded(.up)))) left"
    }
    put("\r\u{1B}[K" + text.prefix(columns - 1))
  }

  /// Erases the line, if one was shown.
  mutating func end() {
    if wasShown { put("\r\u{1B}[K") }
    wasShown = false
  }

  private func put(_ text: String) {
    let bytes = Array(text.utf8)
    // Unsafe: the text's own bytes, as many as it has.
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
  }

  /// `1,234,567`.
  private static func grouped(_ count: Int) -> String {
    var digits = String(count)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
  }

  /// `42 s`, `3 min 5 s`.
  private static func words(seconds: Int) -> String {
    seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
