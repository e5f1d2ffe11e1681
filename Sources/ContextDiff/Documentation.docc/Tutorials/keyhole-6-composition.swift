import ContextDiff

let classifier = Classifier()
var session = Session()

// よい is in the text, underlined, and the caret behind it.
let composing = Composition(before: 2, after: 0)
_ = session.post(new: Snapshot(before: "今日はよい", after: "天気"), with: classifier)
let done = session.post(
  new: Snapshot(before: "今", after: "日はよい天気"), evidence: Evidence(composition: composing),
  with: classifier)
if done?.leavesComposition == true { print("commit") }  // commit
