/// The interface through which a host's text reaches an input method.
public enum FrontEnd: String, Sendable, CaseIterable {
  /// IBus's `set_surrounding_text`.
  case ibus
  /// fcitx5's `SurroundingText`, from its D-Bus front end.
  case fcitx5
  /// fcitx5's `SurroundingText`, from its Wayland front end.
  case fcitx5Wayland
  /// The `surrounding_text` of input-method-v2 and text-input-v3.
  case wayland
  /// `InputConnection`'s `ExtractedText`.
  case android
  /// The Text interface of AT-SPI: the whole document.
  case atspi
}

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

/// A host as it shows itself through a front end.
struct Host: Sendable, Equatable {
  var frontEnd: FrontEnd
  var toolkit: Toolkit?

  /// What the host's offsets count.
  var unit: OffsetUnit {
    switch frontEnd {
    case .wayland: .bytes
    case .android: .utf16
    // Qt's client passes on offsets of its UTF-16 QString.
    case .ibus: toolkit == .qt ? .utf16 : .scalars
    case .fcitx5, .fcitx5Wayland, .atspi: .scalars
    }
  }

  var isWayland: Bool { frontEnd == .wayland || frontEnd == .fcitx5Wayland }

  /// How the host cuts its text, once repaired; `nil` where that is to be learnt.
  var window: Window? {
    switch frontEnd {
    case .android, .atspi: return .full
    case .ibus, .fcitx5, .fcitx5Wayland, .wayland: break
    }
    switch toolkit {
    case .gtk3, .qt, .firefox: return .line
    case .gtk4: return .full
    case .chromium, nil: return nil
    }
  }

  /// Whether it never reports what is selected.
  var hidesSelections: Bool {
    switch toolkit {
    case .firefox: true
    case .gtk3: isWayland
    case .gtk4, .qt, .chromium, nil: false
    }
  }

  /// Whether, after the focus has come to another field, it reports the text of the former field once more.
  var holdsOldFieldsText: Bool { frontEnd == .ibus }

  /// Whether, after a commit, it first shows the old text with the new caret, and then the new text.
  var showsCaretFirst: Bool { toolkit == .firefox }

  /// Whether a reset says that nobody typed; Firefox resets its input method at nearly every key.
  var resetsTell: Bool { toolkit != .firefox }

  /// Whether the offsets are places in the whole document.
  var showsDocument: Bool { frontEnd == .atspi }
}
