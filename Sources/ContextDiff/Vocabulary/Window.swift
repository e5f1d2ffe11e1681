/// How a host cuts the text that it shows.
public enum Window: String, Sendable, CaseIterable {
  /// One sentence, with rules for line breaks (iOS before 16).
  case sentence
  /// As `sentence`, but `before` may hold earlier lines too (iOS 16 and later).
  case paragraph
  /// The caret's line, or block, and hardly anything of its neighbours (GTK 3, Qt and Firefox on Linux). It does not tell
  /// whether there is a line above or below.
  case line
  /// A plain cut anywhere, line breaks included (GTK 4, Wayland, Android).
  case full
}
