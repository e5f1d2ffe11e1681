import ContextDiff

let before = Snapshot(before: "今日は", after: "天気")
let after = Snapshot(before: "今日は良い", after: "天気")

let classifier = Classifier()
let done = classifier.classify(
  Observation(
    old: before, new: after, pasteboard: "良い",
    evidence: Evidence(window: .line, key: .shortcut)))
print(done.kind, done.certainty, done.inserted ?? "")  // paste likely 良い
