import ContextDiff

let classifier = Classifier()
var session = Session()

_ = session.post(new: Snapshot(before: "今日はよい", after: "天気"), with: classifier)
let number = try session.expect(edit: Edit(insert: "良い", deleteBackward: 2), with: classifier)
if let done = session.post(new: Snapshot(before: "今日は良い", after: "天気"), with: classifier) {
  print(done.kind, done.expected == [number])  // expected true
}
