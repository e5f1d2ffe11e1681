import ContextDiff
import Testing

/// The oracle against the model's own table, and the engine's window rule against the oracle.
@Suite struct OracleTests {
  /// A document drawn as in the model: `|` marks the caret or the selection's two ends.
  static func field(_ drawing: String) -> Field {
    var text: [Unicode.Scalar] = []
    var marks: [Int] = []
    for scalar in drawing.unicodeScalars {
      switch scalar {
      case "|": marks.append(text.count)
      case "⏎": text.append("\n")
      default: text.append(scalar)
      }
    }
    return Field(text, marks.first ?? 0, marks.last ?? 0)
  }

  static let table: [(String, String?, String?, String?)] = [
    ("|abc", nil, nil, "abc"),
    ("abc|def", "abc", nil, "def"),
    ("abc|def|ghi", "abc", "def", "ghi"),
    ("abc|", "abc", nil, nil),
    ("abc|⏎", "abc", nil, ""),
    ("⏎|def", "\n", nil, "def"),
    ("abc|⏎def", "abc", nil, ""),
    ("abc⏎|def", "\n", nil, "def"),
    ("a|bc⏎d|ef", "a", "bc\nd", "ef"),
    ("アイウエオ。カキクケコ。|サシスセソ。タチツテト。", "カキクケコ。", nil, "サシスセソ。"),
    ("カキ！|？クケ", "カキ！", nil, "？"),
    ("カキ|！？クケ", "カキ", nil, "！？"),
    ("⏎⏎|⏎", "\n", nil, ""),
    ("ab。|⏎", "ab。", nil, ""),
    ("|", nil, nil, nil),
  ]

  @Test(arguments: table.indices)
  func showsWhatTheModelDraws(_ row: Int) {
    let (drawing, before, selected, after) = Self.table[row]
    let shown = Host(.sentence).shows(Self.field(drawing))
    let expected = Shown(
      before: before.map { Array($0.unicodeScalars) },
      selected: selected.map { Array($0.unicodeScalars) },
      after: after.map { Array($0.unicodeScalars) })
    #expect(shown == expected, "\(drawing) shows \(drawn(shown.snapshot))")
  }

  @Test(arguments: Window.allCases)
  func engineCutsAsTheOracle(_ window: Window) {
    let scope = Scope(
      "", "a。\n", length: 6, window: window, pasteboards: [], pasteboardIsKnown: false)
    var differing: [String] = []
    scope.documents { text in
      for start in 0...text.count {
        for end in start...text.count {
          let field = Field(text, start, end)
          let expected = scope.host.shows(field).snapshot
          let actual = window.snapshot(of: String(text), from: start, to: end)
          if expected != actual {
            differing.append(
              "\(drawn(text)) \(start)–\(end): \(drawn(actual)), not \(drawn(expected))")
          }
        }
      }
    }
    #expect(differing.isEmpty, "\(differing.prefix(10).joined(separator: "\n"))")
  }
}
