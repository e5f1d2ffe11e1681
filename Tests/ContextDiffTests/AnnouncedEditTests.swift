import ContextDiff
import Testing

/// Edits that an input method announces, and what becomes of those that are not shown.
@Suite struct AnnouncedEditTests {
  private let classifier = Classifier()

  // MARK: - Numbers

  @Test func numbersCountUpWithinASession() throws {
    var session = Session(at: "a|", window: .full)
    let first = try session.expect(edit: Edit(insert: "b"), with: classifier)
    let second = try session.expect(edit: Edit(insert: "c"), with: classifier)
    let shown = session.post("abc|")
    #expect(shown?.kind == .expected)
    #expect(shown?.expected == [1, 2])
    #expect(shown?.expectedEdits == 2)
    let third = try session.expect(new: drawn("abcd|"))
    #expect([first, second, third] == [1, 2, 3])
  }

  /// Nobody waits for the oldest any more; what follows it is shown as if it had been waited for.
  @Test func ofAChainTooLongTheRestIsShown() throws {
    let letters = "abcdefghijklmnopqrstuvwxyzabcdefgh".unicodeScalars.map { String($0) }
    let numbers = Array(1...letters.count)
    func announced() throws -> Session {
      var session = Session(at: "Hello |", window: .full)
      for letter in letters { try session.expect(edit: Edit(insert: letter), with: classifier) }
      return session
    }
    var atOnce = try announced()
    let shown = atOnce.post("Hello \(letters.joined())|")
    #expect(shown?.kind == .expected)
    #expect(shown?.expected == Array(numbers.dropFirst(2)))
    #expect(shown?.unfulfilled == [1, 2])
    #expect(shown?.inserted == letters.joined())
    #expect(shown?.cursorOffset?.scalars == letters.count)
    #expect(atOnce.expecting == 0)

    var oneByOne = try announced()
    for number in numbers {
      let shown = oneByOne.post("Hello \(letters.prefix(number).joined())|")
      #expect(shown?.kind == (number > 2 ? .expected : .insertion))
      #expect(shown?.expected == (number > 2 ? [number] : []))
      #expect(shown?.unfulfilled == (number == 1 ? [1, 2] : []))
    }

    var another = try announced()
    let typed = another.post("Hello Q|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.unfulfilled == numbers)
    #expect(another.expecting == 0)
  }

  /// What a pair of a password field says of announced edits is so, and the rest of it is not remembered.
  @Test func aSecurePairSettlesWhatWasAnnounced() throws {
    var session = Session(at: "a|", window: .full)
    for letter in ["b", "c"] { try session.expect(edit: Edit(insert: letter), with: classifier) }
    func secure(_ old: String, _ new: String) -> Transition? {
      session.postSecure(old: drawn(old), new: drawn(new), with: classifier)
    }
    #expect(secure("a|", "ab|")?.expected == [1])
    #expect(session.expecting == 1)
    #expect(secure("ab|", "abc|")?.expected == [2])
    #expect(session.expecting == 0)
    try session.expect(edit: Edit(insert: "pqrs"), with: classifier)
    #expect(secure("a|", "azz|")?.unfulfilled == [3])
    #expect(session.expecting == 0)
    #expect(session.latest == drawn("a|"))
    #expect(session.post("ax|")?.unfulfilled == [])
  }

  /// An edit announced for a password field may be the first that a session hears of.
  @Test func aSecurePairThatIsTheFirstLeavesNothing() throws {
    var session = Session()
    try session.expect(old: drawn("a|"), edit: Edit(insert: "secret"), with: classifier)
    #expect(session.postSecure(new: drawn("asecret|"), with: classifier) == nil)
    #expect(session.expecting == 0)
    #expect(session.latest == nil)
  }

  /// Of several that a first pair shows at once, the states that it skipped may come late; a password's may not stay.
  @Test func aSecurePairThatIsTheFirstLeavesNoTextOfSeveralEither() throws {
    var session = Session()
    let before = session.heldBytes
    try session.expect(old: drawn("a|"), edit: Edit(insert: "secret"), with: classifier)
    try session.expect(edit: Edit(insert: "words"), with: classifier)
    #expect(session.postSecure(new: drawn("asecretwords|"), with: classifier) == nil)
    #expect(session.expecting == 0)
    let after = session.heldBytes
    #expect(after == before)
  }

  /// A chain too long is given up like any other once the document has left its beginning.
  @Test func ofAChainTooLongTheRestIsGivenUpElsewhere() throws {
    var session = Session(at: "Hello |", window: .full)
    for _ in 0..<32 { try session.expect(edit: Edit(insert: "q"), with: classifier) }
    #expect(session.post("Hel|lo ")?.unfulfilled == [])
    try session.expect(edit: Edit(insert: "r"), with: classifier)
    #expect(session.expecting == 32)
    #expect(session.post("Hel!|lo ")?.unfulfilled == Array(1...33))
    #expect(session.expecting == 0)
  }

  /// The chain leads back to where it began.
  @Test func aFirstSnapshotWhereAnEditBeginsShowsNone() throws {
    var session = Session()
    try session.expect(old: drawn("a|"), edit: Edit(insert: "b"), with: classifier)
    try session.expect(edit: Edit(deleteBackward: 1), with: classifier)
    #expect(session.post("a|") == nil)
    #expect(session.expecting == 2)
    #expect(session.post("ab|")?.expected == [1])
  }

  /// The chain's first edit was shown in the password field, and its next one begins there.
  @Test func aSecurePairGivesUpTheRestOfAChain() throws {
    var session = Session(at: "a|", window: .full)
    for letter in ["b", "c"] { try session.expect(edit: Edit(insert: letter), with: classifier) }
    func secure(_ old: String, _ new: String) -> Transition? {
      session.postSecure(old: drawn(old), new: drawn(new), with: classifier)
    }
    #expect(secure("a|", "ab|")?.expected == [1])
    #expect(secure("ab|", "abzz|")?.unfulfilled == [2])
    #expect(session.expecting == 0)
  }

  /// What was announced for a place where the document never was is not made where it is.
  @Test func anEditAnnouncedElsewhereIsNotTheUsersOwnHere() throws {
    var session = Session(at: "abc|", window: .full)
    try session.expect(old: drawn("xyz|"), edit: Edit(insert: "Q"), with: classifier)
    let typed = session.post("abcQ|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [])
    #expect(session.expecting == 1)
  }

  @Test func theOldestOfTooManyIsUnfulfilled() throws {
    var session = Session(at: "a|", window: .full)
    for _ in 0..<34 {
      try session.expect(old: drawn("x|"), edit: Edit(insert: "b"), with: classifier)
    }
    #expect(session.expecting == 32)
    // Told by the next transition, whatever that is.
    #expect(session.post("a|")?.unfulfilled == [1, 2])
    #expect(session.post("aqr|")?.unfulfilled == [])
  }

  // MARK: - Withdrawing

  @Test func withdrawingTakesBackWhatIsOnTop() throws {
    var session = Session(at: "a|", window: .full)
    let first = try session.expect(edit: Edit(insert: "b"), with: classifier)
    let second = try session.expect(edit: Edit(insert: "c"), with: classifier)
    let third = try session.expect(edit: Edit(insert: "d"), with: classifier)
    try session.withdraw(second)
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(second) }
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(third) }
    let typed = session.post("abx|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [first])
    #expect(typed?.unfulfilled == [])
    #expect(typed?.inserted == "x")
  }

  @Test func withdrawingLeavesWhatBeginsElsewhere() throws {
    var session = Session(at: "a|", window: .full)
    let first = try session.expect(edit: Edit(insert: "b"), with: classifier)
    let other = try session.expect(old: drawn("x|"), edit: Edit(insert: "y"), with: classifier)
    try session.withdraw(first)
    let shown = session.post(old: drawn("x|"), new: drawn("xy|"), with: classifier)
    #expect(shown?.expected == [other])
  }

  @Test func whatWasShownCannotBeWithdrawn() throws {
    var session = Session(at: "a|", window: .full)
    let number = try session.expect(edit: Edit(insert: "b"), with: classifier)
    #expect(session.post("ab|")?.expected == [number])
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(number) }
  }

  @Test func whatIsWithdrawnIsNeitherShownNorMissed() throws {
    var session = Session(at: "a|", window: .full)
    try session.withdraw(try session.expect(edit: Edit(insert: "b"), with: classifier))
    let typed = session.post("ab|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.unfulfilled == [])
  }

  // MARK: - What was not done

  @Test func whatTheHostDidNotDoIsUnfulfilledOnceAnotherEditShowsIt() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    let typed = session.post("こんにq|ちは")
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [])
    #expect(typed?.unfulfilled == [number])
    #expect(session.post("こんに|ちは")?.unfulfilled == [])
    // No later edit of the user's is taken for it.
    #expect(session.post("こんにえ|ちは")?.kind == .insertion)
  }

  @Test func aMoveOrARepetitionLeavesWhatIsAnnounced() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    for state in ["こんに|ちは", "こ|んにちは", "こん[に]ちは", "こんに|ちは"] {
      #expect(session.post(state)?.unfulfilled == [])
    }
    #expect(session.post("こんにえ|ちは")?.expected == [number])
  }

  @Test func anEditElsewhereShowsThatItWillNotCome() throws {
    var session = Session(at: "こんに|ちは世界", window: .full)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    #expect(session.post("こんにちは|世界")?.kind == .cursorMove)
    #expect(session.post("こんにちはx|世界")?.unfulfilled == [number])
  }

  @Test(arguments: [
    // Announced, and how much of it the host did.
    (Edit(insert: "えと"), "こんにえ|ちは"),
    (Edit(insert: "XY", deleteBackward: 2), "こんにXY|ちは"),
  ])
  func whatTheHostDidInPartIsUnfulfilled(edit: Edit, picture: String) throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let number = try session.expect(edit: edit, with: classifier)
    let shown = session.post(picture)
    #expect(shown?.kind != .expected)
    #expect(shown?.expected == [])
    #expect(shown?.unfulfilled == [number])
  }

  @Test func aKeyThatTakesBackTheRestSaysThatItWasDone() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let number = try session.expect(edit: Edit(insert: "えと"), with: classifier)
    let shown = session.post("こんにえ|ちは", key: .backspace)
    #expect(shown?.kind == .deletion)
    #expect(shown?.expected == [number])
  }

  @Test func whatFollowsAnEditThatWasNotDoneIsNotDoneEither() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    for text in ["え", "と"] { try session.expect(edit: Edit(insert: text), with: classifier) }
    #expect(session.post("こんにq|ちは")?.unfulfilled == [1, 2])
  }

  @Test func ofAChainThatIsInterruptedTheRestIsUnfulfilled() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    for text in ["え", "と"] { try session.expect(edit: Edit(insert: text), with: classifier) }
    let typed = session.post("こんにえq|ちは")
    #expect(typed?.kind == .insertion)
    #expect(typed?.inserted == "q")
    #expect(typed?.expected == [1])
    #expect(typed?.unfulfilled == [2])
  }

  @Test func whatWasPassedOverIsUnfulfilled() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let ignored = try session.expect(edit: Edit(deleteBackward: 1), with: classifier)
    // The client sees that nothing came, and begins anew.
    let second = try session.expect(
      old: drawn("こんに|ちは"), edit: Edit(insert: "え"), with: classifier)
    let shown = session.post("こんにえ|ちは")
    #expect(shown?.expected == [second])
    #expect(shown?.unfulfilled == [ignored])
  }

  @Test func whatBeginsAtAStateToComeWaitsForIt() throws {
    var session = Session(at: "こんに|ちは", window: .full)
    let number = try session.expect(
      old: drawn("こんにq|ちは"), edit: Edit(insert: "え"), with: classifier)
    #expect(session.post("こんにq|ちは")?.unfulfilled == [])
    #expect(session.post("こんにqえ|ちは")?.expected == [number])
  }

  // MARK: - Long texts

  @Test func longTextIsComparedNearTheCaret() throws {
    let long = String(repeating: "東京は雨。", count: 20_000)
    for window in Window.allCases {
      var session = Session()
      let shown = { (left: String, right: String) in
        Snapshot(before: long + left, after: right + long)
      }
      _ = session.post(new: shown("ここ", "そこ"), evidence: Evidence(window: window), with: classifier)
      try session.expect(edit: Edit(insert: "に", deleteBackward: 1), with: classifier)
      try session.expect(edit: Edit(insert: "x"), with: classifier)
      #expect(session.post(new: shown("こに", "そこ"), with: classifier)?.expected == [1])
      let rest = session.post(new: shown("こにxy", "そこ"), with: classifier)
      #expect(rest?.kind == .insertion, "\(window)")
      #expect(rest?.expected == [2], "\(window)")
      #expect(rest?.inserted == "y", "\(window)")
    }
  }

  @Test func aLongSelectionIsKnownByItsEndsWhereverScalarsBegin() throws {
    for shift in ["", "a", "ab", "abc"] {
      var session = Session()
      let (emoji, letters) = (
        String(repeating: "😀", count: 1_024), String(repeating: "x", count: 9_000)
      )
      let new = Snapshot(before: "", selected: shift + emoji + letters, after: "")
      _ = session.post(new: Snapshot(before: "", selected: nil, after: ""), with: classifier)
      let number = try session.expect(new: new)
      #expect(session.post(new: new, with: classifier)?.expected == [number])
    }
  }

  @Test(arguments: [100, 4_096, 5_000])
  func aChainOfSnapshotsIsShownLateHoweverMuchStandsBefore(length: Int) throws {
    let (before, after) = (String(repeating: "b", count: length), "uvwxyzk.")
    let evidence = Evidence(window: .full)
    var session = Session()
    func show(_ before: String, _ after: String) -> Transition? {
      session.post(
        new: Snapshot(before: before, after: after), evidence: evidence, with: classifier)
    }
    _ = show(before, after)
    let first = try session.expect(new: Snapshot(before: before + "q", after: after))
    let second = try session.expect(new: Snapshot(before: before + "qj", after: after))
    #expect(show(before + "q", after)?.expected == [first])
    // Firefox's order: the caret first.
    _ = show(before + "qu", "vwxyzk.")
    let last = show(before + "qj", after)
    #expect(last?.kind == .expected && last?.unfulfilled == [], "\(second)")
  }

  @Test func anEditMayCountAllThatThereCanBe() throws {
    var session = Session()
    let evidence = Evidence(window: .full, key: Key.unpressed)
    _ = session.post(new: Snapshot(before: "hello"), evidence: evidence, with: classifier)
    try session.expect(
      edit: Edit(insert: "x", deleteBackward: .max, deleteForward: .max, unit: .scalars),
      with: classifier)
    let said = session.post(new: Snapshot(before: "x"), evidence: evidence, with: classifier)
    #expect(said?.expected == [1])
  }

  @Test func anAnnouncementHoldsNoMoreThanItsReach() throws {
    let long = String(repeating: "a", count: 1 << 20)
    var session = Session()
    _ = session.post(
      new: Snapshot(before: long, after: long), evidence: Evidence(window: .full), with: classifier)
    let before = session.heldBytes
    for _ in 0..<32 {
      try session.expect(edit: Edit(insert: "x", deleteBackward: 3), with: classifier)
    }
    #expect(session.heldBytes - before < 33 * (2 * 4_096 + 512))
  }

  /// Each of them may move the caret to one of eight places, so that there are 8³² ways to make them all: whoever tries
  /// each never ends.
  @Test(.timeLimit(.minutes(10))) func manyEditsInPressesAreComparedAtOnce() throws {
    let parts = [
      "👨‍👩‍👧‍👦", "x\u{301}\u{301}\u{301}", "क्ष", "\u{1D400}\u{1E8D0}\u{1E8D0}", "x", "🇩🇪", "👍🏻", "क्षा",
    ]
    var session = Session()
    _ = session.post(new: Snapshot(before: "start", after: "end"), with: classifier)
    for number in 0..<32 {
      let insert = (0..<200).map { parts[($0 * (number % 5 + 1) + $0 * $0 / 7 + number) % 8] }
      try session.expect(
        edit: Edit(
          insert: insert.joined(), deleteBackward: 1 + number * 23 % 90,
          moveCaret: -20 - number * 37 % 160, unit: .backspace), with: classifier)
    }
    let transition = session.post(new: Snapshot(before: "star", after: "tend"), with: classifier)
    #expect(transition?.kind == .cursorMove)
  }

  @Test func whatIsAnnouncedGoesAlongWithTheSession() throws {
    var session = Session(at: "abか\u{3099}|", window: .line)
    try session.expect(edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
    try session.expect(edit: Edit(insert: "x"), with: classifier)
    try session.expect(old: drawn("zzz|"), edit: Edit(deleteBackward: 9), with: classifier)
    let archived = session.archived()
    var other = try #require(Session(archive: archived))
    #expect(other.archived() == archived)
    #expect(other.expecting == 3)
    #expect(other.hostWindow == .line)
    #expect(other.post("abx|")?.expected == [1, 2])
    #expect(try other.expect(edit: Edit(insert: "y"), with: classifier) == 4)
  }

  /// A host that makes announced edits, or a part of them, or none, at once or with the user's next
  /// edit: each is told of once, as shown or as not done, or it still waits.
  @Test(arguments: Window.allCases) func eachIsToldOfOnce(window: Window) throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      var session = Session()
      var left = Array("こんにちは世界".unicodeScalars)
      let right = Array("です。".unicodeScalars)
      func shown() -> Snapshot {
        let place = left.count
        return window.snapshot(
          of: String(String.UnicodeScalarView(left + right)), from: place, to: place)
      }
      _ = session.post(new: shown(), evidence: Evidence(window: window), with: classifier)
      var announced: [Int] = []
      var told: [Int] = []
      var withdrawn = 0
      for _ in 0..<40 {
        for _ in 0..<random.number(0...3) {
          let text = ["え", "と", "え。"].randomElement(using: &random)!
          let gone = random.number(0...1)
          announced.append(
            try session.expect(
              edit: Edit(insert: text, deleteBackward: gone, unit: .scalars), with: classifier))
          switch random.number(0...4) {
          case 0: continue
          case 1: left.append(contentsOf: text.unicodeScalars.prefix(1))
          default:
            left.removeLast(min(gone, left.count))
            left.append(contentsOf: text.unicodeScalars)
          }
        }
        switch random.number(0...3) {
        case 0: left.append("x")
        case 1: left.removeLast(min(1, left.count))
        case 2:
          let expecting = session.expecting
          if let last = announced.last { try? session.withdraw(last) }
          withdrawn += expecting - session.expecting
        default: break
        }
        let transition = session.post(new: shown(), with: classifier)
        #expect(transition?.expected.count == transition?.expectedEdits)
        #expect(transition?.expected == transition?.expected.sorted())
        told += transition?.expected ?? []
        told += transition?.unfulfilled ?? []
      }
      #expect(Set(told).count == told.count)
      #expect(Set(told).isSubset(of: announced))
      #expect(session.expecting + told.count + withdrawn == announced.count)
      #expect(announced == Array(1...announced.count))
    }
  }
}
