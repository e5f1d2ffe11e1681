/// The toolkit, or browser, whose text field shows the text.
public enum Toolkit: String, Sendable, CaseIterable {
  /// GTK 3: the caret's line, and at its end the next one too.
  case gtk3
  /// GTK 4: a plain cut.
  case gtk4
  /// Qt 5 and 6: the caret's block.
  case qt
  /// Firefox and what is made of it: the caret's line, and at its start the one above too.
  case firefox
  /// Chromium and what is made of it; how it cuts its text is to be learnt.
  case chromium

  /// The toolkit by what its client says of itself; `nil` where neither name tells it.
  ///
  /// - Parameters:
  ///   - client: The name that IBus's `focus_in_id` tells: `gtk3-im:mousepad`, `gtk4-im`,
  ///     `QIBusInputContext`.
  ///   - program: The program's name, with or without its folder (fcitx5's `InputContext::program()`);
  ///     by default what follows the colon in `client`.
  public init?(client: String? = nil, program: String? = nil) {
    let parts = (client ?? "").split(separator: ":", maxSplits: 1)
    let path = program ?? (parts.count == 2 ? String(parts[1]) : "")
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    // A browser uses GTK's client for a text of its own, so the program's name comes first.
    if ["firefox", "librewolf", "thunderbird"].contains(where: name.hasPrefix) {
      self = .firefox
    } else if ["chrom", "google-chrome", "electron", "brave", "msedge"].contains(
      where: name.hasPrefix)
    {
      self = .chromium
    } else {
      switch parts.first {
      case "gtk3-im": self = .gtk3
      case "gtk4-im": self = .gtk4
      case "QIBusInputContext": self = .qt
      default: return nil
      }
    }
  }
}
