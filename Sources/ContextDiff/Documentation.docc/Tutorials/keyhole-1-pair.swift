import ContextDiff

let before = Snapshot(before: "今日は", after: "天気")
let after = Snapshot(before: "今日は良い", after: "天気")
