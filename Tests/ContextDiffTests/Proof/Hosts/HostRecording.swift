import ContextDiff
import Foundation

/// What a real toolkit told an input method while a seeded person drove an application
/// (`Recordings/hosts`): a row a pair.
struct HostRecording {
  var name: String
  var rows: [Row]

  struct Row: Decodable {
    var old: Shown?
    var new: Shown
    var pasteboard: String?
    /// What was done by the application's own state; `nil` where the row only sets the baseline.
    var truth: String?
    /// Names that are as good.
    var accept: [String]
    /// `exact` where both snapshots are clean cuts of the text, no act lies between, and the
    /// selection was shown.
    var input: String
    /// The key pressed, the text typed or committed, or where was clicked.
    var how: String
    /// Whether the caret or the edit left the line; `nil` in the first rows.
    var crossesLine: Bool?
    /// The class of the last key that went to the host, and how many keys went, where the recording holds it.
    var key: String?
    var keys: Int?

    struct Shown: Decodable {
      var before: String?
      var selected: String?
      var after: String?
    }
  }

  /// The recordings that the rules were made with.
  static let names = ["firefox-english", "qt6-plain-japanese", "gtk4-code", "mousepad-english"]

  /// Recordings that weights were tried on, as on 77 more that `Tests/HostTests/record.py` makes with the seeds
  /// 501 and 502.
  static let training = [
    "training-firefox-fcitx5-kyoto", "training-firefox-ibus-kyoto", "training-gtk3-fcitx5-letter",
    "training-gtk3-ibus-letter", "training-gtk4-fcitx5-script", "training-gtk4-ibus-script",
    "training-qt5-fcitx5-letter", "training-qt5-ibus-kyoto", "training-qt6-fcitx5-list",
    "training-qt6-ibus-list",
  ]

  /// Recordings of other texts and seeds that no weight was made from, through IBus and fcitx5; what was
  /// read wrong in them showed which rules were missing.
  static let heldOut = [
    "heldout-firefox-fcitx5-list", "heldout-firefox-ibus-list", "heldout-gtk3-fcitx5-kyoto",
    "heldout-gtk3-ibus-kyoto", "heldout-gtk4-fcitx5-letter", "heldout-gtk4-ibus-letter",
    "heldout-qt5-fcitx5-list", "heldout-qt6-fcitx5-script", "heldout-qt6-ibus-script",
  ]

  /// Recordings made when the rules stood, with the seed 503, and read when all else was done.
  static let unseen = [
    "unseen-firefox-fcitx5-kyoto", "unseen-firefox-ibus-letter", "unseen-gtk3-fcitx5-list",
    "unseen-gtk3-ibus-script", "unseen-gtk4-fcitx5-kyoto", "unseen-gtk4-ibus-letter",
    "unseen-qt5-fcitx5-list", "unseen-qt5-ibus-script", "unseen-qt6-fcitx5-kyoto",
    "unseen-qt6-ibus-letter",
  ]

  /// The same on Wayland (text-input-v3, through fcitx5), with the seed 604; those of 601 to 603 showed which rule was
  /// missing.
  static let wayland = [
    "unseen-wayland-firefox-kyoto", "unseen-wayland-firefox-letter", "unseen-wayland-gtk3-kyoto",
    "unseen-wayland-gtk3-list", "unseen-wayland-gtk4-letter", "unseen-wayland-gtk4-script",
  ]

  init(named name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let url = tests.appending(components: "Recordings", "hosts", name + ".jsonl")
    let decoder = JSONDecoder()
    self.name = name
    rows = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Row.self, from: Data($0))
    }
  }

  /// Whether this host never shows a selection.
  var hidesSelections: Bool { name.contains("firefox") || name.contains("wayland-gtk3") }
}

extension HostRecording.Row {
  /// Whether it counts: what is called a shift of the window though other text stands at the caret is an
  /// act whose news came late, and the recorder does not know which.
  var isClean: Bool {
    input == "exact" && truth != nil && (truth != "windowShift" || showsSameCaret)
  }

  /// Whether both snapshots may be cuts of one text around one caret.
  private var showsSameCaret: Bool {
    guard let old else { return false }
    func agree(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
      left.isEmpty == right.isEmpty && zip(left, right).allSatisfy { $0 == $1 }
    }
    return agree((old.before ?? "").utf8.reversed(), (new.before ?? "").utf8.reversed())
      && agree((old.selected ?? "").utf8, (new.selected ?? "").utf8)
      && agree((old.after ?? "").utf8, (new.after ?? "").utf8)
  }

  func isRight(_ kind: Kind) -> Bool { kind.rawValue == truth || accept.contains(kind.rawValue) }

  var isNamed: (Transition) -> Bool {
    { said in isRight(said.kind) || said.alternatives.contains { isRight($0) } }
  }

  /// What went to the host, as an input method on Linux sees it.
  var keyClass: Key {
    if let key, let told = Key(rawValue: key) { return told }
    let words = how.split(separator: " ", maxSplits: 1)
    guard let first = words.first, words.count == 2 else { return .none }
    switch first {
    case "type": return .character
    case "key":
      let name = words[1]
      // What is told as the key pressed and then the text that the input method committed.
      if name.contains(",") { return .none }
      let parts = name.split(separator: "+")
      switch parts.last ?? "" {
      case "Return": return .return
      case "BackSpace": return .backspace
      case "Delete": return .delete
      case "Left", "Right", "Up", "Down", "Home", "End", "Page_Up", "Page_Down": return .caret
      default: return .shortcut
      }
    default: return .none
    }
  }
}
