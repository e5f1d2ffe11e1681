import ContextDiff

let classifier = Classifier()
var session = Session()
var field = HostField(.ibus, toolkit: .qt)

// IBus's set_surrounding_text(text, cursor, anchor) from a Qt program, which counts UTF-16 units.
for (text, cursor, anchor) in [("天気😀", 4, 4), ("天気😀", 4, 2), ("天気", 2, 2)] {
  guard let news = try field.surroundingText(text, cursor: cursor, anchor: anchor) else { continue }
  if let done = session.post(news, with: classifier) { print(done.kind) }  // selection, then cut
}
