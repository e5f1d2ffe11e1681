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
    /// What the input method put in since the news before, where the recording holds it.
    var commits: [String]?

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

  /// Whether `row` counts.
  ///
  /// Two labels are wrong. A host of lines shows all of the caret's line: where that is another text, an edit was half
  /// shown, and no window was cut anew. And Qt's triple click takes the line's newline along: what is shown
  /// then is the start of the next block, where the selection ends, and no caret that gave it up.
  func isClean(_ row: Row) -> Bool {
    if !row.isClean { return false }
    if row.truth == "windowShift" { return name.contains("gtk4") || row.showsSameLine }
    return !(name.contains("qt") && row.endsSelectionBelow)
  }
}

extension HostRecording.Row {
  /// Whether it counts in any host: what is called a shift of the window though other text stands at the caret is an
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

  /// Whether both snapshots show the same line around the caret.
  fileprivate var showsSameLine: Bool {
    func line(_ shown: Shown) -> [Substring?] {
      [
        shown.before?.split(separator: "\n", omittingEmptySubsequences: false).last,
        shown.after?.split(separator: "\n", omittingEmptySubsequences: false).first,
      ].map { $0?.isEmpty ?? true ? nil : $0 }
    }
    return old.map { line($0) == line(new) } ?? false
  }

  /// Whether a triple click had selected a line up to its end, and an empty line is shown now.
  fileprivate var endsSelectionBelow: Bool {
    how.hasPrefix("3 clicks") && old?.selected != nil && (old?.after ?? "").isEmpty
      && (new.before ?? new.selected ?? "").isEmpty
  }

  /// What the input method put in, and so would have announced; `nil` where it put in nothing.
  ///
  /// Some recordings hold it; others say what was committed one after the other, of which `before` shows the last.
  var committed: String? {
    if let commits { return commits.isEmpty ? nil : commits.joined() }
    guard truth == "insertion" || truth == "replacement" else { return nil }
    var words = how.split(separator: " ")
    if words.first == "commit" {
      words.removeFirst()
    } else if words.count == 2, words[1] == "committed" {
      words.removeLast()
    } else {
      return nil
    }
    let before = new.before ?? ""
    return words.last {
      before.unicodeScalars.reversed().starts(with: $0.unicodeScalars.reversed())
    }
    .map(String.init)
  }

  /// Whether the act was the input method's: it put in text.
  private var isCommit: Bool { how.hasPrefix("commit ") || how.hasSuffix(" committed") }

  func isRight(_ kind: Kind) -> Bool {
    kind.rawValue == truth || accept.contains(kind.rawValue) || kind == .expected && isCommit
  }

  var isNamed: (Transition) -> Bool {
    { said in isRight(said.kind) || said.alternatives.contains { isRight($0) } }
  }

  /// What went to the host, as an input method on Linux sees it.
  var keyClass: Key {
    if let key, let told = Key(rawValue: key) { return told }
    let words = how.split(separator: " ", maxSplits: 1)
    guard let first = words.first, words.count == 2 else { return .unpressed }
    switch first {
    case "type": return .character
    case "key":
      let name = words[1]
      // What is told as the key pressed and then the text that the input method committed.
      if name.contains(",") { return .unpressed }
      let parts = name.split(separator: "+")
      switch parts.last ?? "" {
      case "Return": return .return
      case "BackSpace": return .backspace
      case "Delete": return .delete
      case "Left", "Right", "Up", "Down", "Home", "End", "Page_Up", "Page_Down": return .caret
      default: return .shortcut
      }
    default: return .unpressed
    }
  }
}
