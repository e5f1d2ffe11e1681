import ContextDiff
import ContextDiffConsole
import ContextDiffWire
import Testing

@Suite struct RedactionTests {
  @Test(arguments: [
    ("hello, World 42!", "abcd", "ABCD", "0123"),
    ("会議は３時から。", "一二三四", "あいうえ", "０１２３"),
    ("カタカナとｶﾅ", "アイウエ", "あいうえ", "ｱｲｳｴ"),
  ])
  func lettersBecomeOnesOfTheirClass(text: String, first: String, second: String, third: String) {
    let redacted = Redaction(key: 7).redact(text)
    let allowed = Set((first + second + third + ", !。").unicodeScalars)
    #expect(redacted.unicodeScalars.count == text.unicodeScalars.count)
    #expect(redacted.unicodeScalars.allSatisfy(allowed.contains))
  }

  @Test func whatEndsSentencesAndLinesStays() {
    let kept = " \n\t。．.!?！？…、「」-ーｰﾞﾟ\u{3099}\u{309A}\u{200D}"
    #expect(Redaction(key: 1).redact(kept).unicodeScalars.elementsEqual(kept.unicodeScalars))
  }

  @Test(arguments: [
    "secret", "ΣΊΓΜΑ", "секрет", "ひみつ", "秘密", "비밀", "गुप्त", "①Ⅷ", "😻🇯🇵", "ⓢⓔ㊙㋐🅂", "⠎⠑", "👍\u{1F3FF}",
    "⾦⼦", "㍿㏂", "℡№", "꒐", "𝠀", "﷽",
  ])
  func noKeyLeadsBackForEveryScalar(secret: String) {
    // A stand-in may happen to be the scalar itself, so not each scalar differs; over many keys,
    // each is hidden by most.
    let scalars = Array(secret.unicodeScalars)
    for place in scalars.indices {
      let hidden = (0..<64).count { key in
        Array(Redaction(key: UInt64(key)).redact(secret).unicodeScalars)[place] != scalars[place]
      }
      #expect(hidden >= 32, "\(secret), scalar \(place)")
    }
  }

  @Test(
    "Nothing but spaces, punctuation, the signs of currencies and mathematics, and what shapes other scalars stays"
  )
  func keptClasses() {
    let redactions = (0..<8).map { Redaction(key: $0) }
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      guard redactions.allSatisfy({ $0.redact(text).unicodeScalars.elementsEqual([scalar]) }) else {
        continue
      }
      let isKept =
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
          .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
          .initialPunctuation, .finalPunctuation, .otherPunctuation, .currencySymbol, .mathSymbol,
          .modifierSymbol:
          true
        default:
          "ーｰﾞﾟ\u{3099}\u{309A}".unicodeScalars.contains(scalar)
            || scalar.properties.isVariationSelector
        }
      #expect(isKept, "U+\(String(value, radix: 16))")
    }
  }

  @Test func theSameTextStaysTheSameText() {
    let redaction = Redaction(key: 3)
    #expect(redaction.redact("ab") + redaction.redact("cd") == redaction.redact("abcd"))
  }

  @Test func keysDiffer() {
    let text = "the quick brown fox jumps over the lazy dog"
    #expect(Set((0..<8).map { Redaction(key: $0).redact(text) }).count == 8)
  }

  @Test func absentAndEmptyFieldsStay() {
    let snapshot = Redaction(key: 1).redact(Snapshot(before: "", selected: nil, after: "\n"))
    #expect(snapshot.before == "")
    #expect(snapshot.selected == nil)
    #expect(snapshot.after == "\n")
  }

  @Test func aTransitionsTextsAreHiddenAndItsReadingStays() {
    let transition = Redaction(key: 1).redact(
      Transition(kind: .replacement, basicKind: .cut, inserted: "秘密", removed: "ZZZZ"))
    #expect(transition.kind == .replacement)
    #expect(transition.inserted?.contains { "秘密".contains($0) } == false)
    #expect(transition.removed?.contains("Z") == false)
  }

  @Test func whatWasAnnouncedIsHidden() {
    let event = Event(
      sequence: 1, session: "s", time: 0,
      transition: Transition(kind: .unchanged, basicKind: .unchanged),
      announced: [
        Announcement(
          number: 1, old: Snapshot(before: "zz"), edit: .edit(Edit(insert: "zz", moveCaret: 1))),
        Announcement(number: 2, edit: .snapshot(Snapshot(after: "zz"))),
        Announcement(number: 2, edit: nil),
      ])
    let redaction = Redaction(key: 1)
    let hidden = redaction.redact("zz")
    #expect(
      redaction.redact(event).announced == [
        Announcement(
          number: 1, old: Snapshot(before: hidden), edit: .edit(Edit(insert: hidden, moveCaret: 1))),
        Announcement(number: 2, edit: .snapshot(Snapshot(after: hidden))),
        Announcement(number: 2, edit: nil),
      ])
    #expect(hidden != "zz")
  }
}
