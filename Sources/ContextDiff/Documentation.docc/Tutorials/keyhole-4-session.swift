import ContextDiff

let classifier = Classifier()
var session = Session()

for text in ["今日は", "今日は良い", "今日は"] {
  if let done = session.post(new: Snapshot(before: text, after: "天気"), with: classifier) {
    print(done.kind)  // insertion, then undo
  }
}
