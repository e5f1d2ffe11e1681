/// What may lie beyond an end of the known text.
enum Edge: UInt8, Sendable {
  /// Nothing: the document ends here.
  case document
  /// A newline, or nothing: the line ends here.
  case line
  /// Another sentence: beyond a left edge lies the document's start, a newline or a terminator; beyond a
  /// right edge anything but a terminator.
  case sentence
  /// Anything.
  case open
}
