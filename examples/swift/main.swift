// Reads a field in this process, or, with "--daemon", by contextdiffd: one line differs.
//
//     swift run swift-example [--daemon]
//
// in the project's tree. Elsewhere: a program whose target depends on the products ContextDiff and ContextDiffClient, of the package
// with traits: ["Client"].
import ContextDiff
import ContextDiffClient
import Glibc

do {
  let reader: any SessionReader =
    CommandLine.arguments.contains("--daemon")
    ? try await ContextDiffClient.connect(deadline: .seconds(1)) : LocalSessions()

  // One field's, and no other process's.
  let session = "example-\(getpid())"
  var field = HostField(.ibus, toolkit: .gtk4)
  for text in ["今日", "今日は", "今日は良い"] {
    let end = text.unicodeScalars.count
    guard let news = try field.surroundingText(text, cursor: end, anchor: end) else { continue }
    let posted = try await reader.post(news, to: session)
    if let done = posted.transition { print(done.kind, done.inserted ?? "") }
    // The input method's own edit, told before it is made.
    if text == "今日は" { try await reader.expect(Edit(insert: "良い"), in: session) }
  }
  // The field, or its focus, is gone, and so is what is kept of it.
  try await reader.forget(session)
} catch {
  print("not known: \(error)")
  exit(1)
}
