import ContextDiff
import Glibc

/// The engine: one pair by itself, pairs of a session, and a caret that moves in a megabyte.
func engineSubjects() -> [Subject] {
  let sixty = repeated("日本語の文章が長く続いていて", scalars: 60)
  let plain = Observation(
    old: Snapshot(before: sixty, after: sixty), new: Snapshot(before: sixty + "へ", after: sixty))
  let classifier = Classifier()

  // A person who types for a while: each snapshot is the one before and a character.
  let typed = (0...64).map { Snapshot(before: sixty + repeated("文を書く", scalars: $0), after: sixty) }

  return [
    Subject("engine: one inserted") { turns in
      var right = 0
      for _ in 0..<turns where classifier.classify(plain).kind == .insertion { right += 1 }
      return right
    },
    Subject("engine: one inserted, in a session") { turns in
      var right = 0
      var session = Session()
      for turn in 0..<turns {
        if turn % 64 == 0 {
          session = Session()
          _ = session.post(new: typed[0], with: classifier)
        }
        let transition = session.post(new: typed[turn % 64 + 1], with: classifier)
        if transition?.kind == .insertion { right += 1 }
      }
      return right
    },
  ] + megabyteSubjects(classifier)
}

/// A caret move in two fields of a megabyte each, and the comparison of the same bytes.
private func megabyteSubjects(_ classifier: Classifier) -> [Subject] {
  let half = repeated("日本語の文章が長く続いていて", scalars: (1 << 20) / 3 - 1)
  // Each text in memory of its own, as a socket would bring it.
  func text(_ parts: String...) -> String { String(decoding: parts.flatMap(\.utf8), as: UTF8.self) }
  let old = Snapshot(before: text(half, "へ"), after: text(half))
  let new = Snapshot(before: text(half), after: text("へ", half))
  var bytes = Array(text(half, "へ", half).utf8)
  var same = Array(text(half, "へ", half).utf8)
  return [
    Subject("memcmp of 2 MiB") { turns in
      var right = 0
      for turn in 0..<turns {
        // Another byte each time, so that no comparison can stand for all.
        bytes[0] = UInt8(truncatingIfNeeded: turn)
        same[0] = UInt8(truncatingIfNeeded: turn)
        if areEqual(bytes, same) { right += 1 }
      }
      return right
    }
  ]
    + [Window.sentence, .full].map { window in
      let observation = Observation(old: old, new: new, evidence: Evidence(window: window))
      return Subject("engine: a caret move in 2 MiB, \(window)") { turns in
        var right = 0
        for _ in 0..<turns where classifier.classify(observation).kind == .cursorMove { right += 1 }
        return right
      }
    }
}

@inline(never)
private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      guard let left = left.baseAddress, let other = right.baseAddress else { return false }
      return memcmp(left, other, right.count) == 0
    }
  }
}

/// The first `scalars` scalars of `text` without end.
func repeated(_ text: String, scalars: Int) -> String {
  let all = Array(text.unicodeScalars)
  var result = String.UnicodeScalarView()
  for index in 0..<scalars { result.append(all[index % all.count]) }
  return String(result)
}
