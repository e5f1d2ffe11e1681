extension Explanation {
  /// Puts in what the announced edits predict for a pair from `old` to `new`: what each that waits leads to is a reading,
  /// and the chosen one where the transition says that it came last.
  mutating func add(_ expected: ExpectedEdits, from old: Fields, to new: Fields) {
    let predictions = expected.predictions(from: old, to: new)
    var announced = predictions.map { $0.explained(seen: new) }
    let shown = predictions.firstIndex { $0.numbers == transition.expected }
    if let shown {
      announced[shown].isChosen = true
      announced[shown].weight = 0
      if transition.kind != .expected {
        announced[shown].reason += ", and then \(transition.kind.rawValue)"
      }
    } else if transition.kind == .expected {
      announced.append(.announcedElsewhere(transition.expected, seen: new))
    }
    if announced.contains(where: \.isChosen) {
      for place in readings.indices where readings[place].isChosen {
        readings[place].isChosen = false
        readings[place].reason = "without what was announced"
      }
    }
    readings += announced
    sortReadings()
  }

  /// Puts the chosen reading first, then those that agree, likeliest first, then the others.
  mutating func sortReadings() {
    readings.sort { first, second in
      if first.isChosen != second.isChosen { return first.isChosen }
      return first.weight ?? -.infinity > second.weight ?? -.infinity
    }
  }
}

extension Explanation.Reading {
  /// That announced edits of those numbers came, and not as they were announced; without numbers, that a part of one
  /// came, or one was told late.
  fileprivate static func announcedElsewhere(
    _ numbers: [Int], seen new: Fields
  ) -> Explanation.Reading {
    Explanation.Reading(
      kind: .expected, prediction: Snapshot(new), reachesUnknownLeft: false,
      reachesUnknownRight: false, agreement: .exact, parting: nil, weight: 0, isChosen: true,
      reason: numbers.isEmpty
        ? "an announced edit, in part or late" : announced(numbers) + ", made elsewhere")
  }

  fileprivate static func announced(_ numbers: [Int]) -> String {
    let all = numbers.map { "#\($0)" }.joined(separator: ", ")
    return (numbers.count == 1 ? "announced edit " : "announced edits ") + all
  }
}

extension ExpectedEdits {
  /// What the host shows once announced edits are made.
  fileprivate struct Prediction {
    /// The numbers of these, each of which begins where the one before it leads.
    let numbers: [Int]
    /// Whether the first one begins at the pair's old snapshot.
    let beginsHere: Bool
    /// Of several texts that they may lead to, the one most like what was seen.
    let text: AnnouncedText

    /// The reading that it is where `new` was seen.
    func explained(seen new: Fields) -> Explanation.Reading {
      let nearness = AnnouncedText.Nearness.allCases.first { text.isShown(by: new, $0) }
      return Explanation.Reading(
        kind: .expected, prediction: text.lend { Snapshot($0) },
        reachesUnknownLeft: text.reachesLeft, reachesUnknownRight: text.reachesRight,
        agreement: nearness.map { $0 == .equal ? .exact : .recut } ?? .none,
        parting: nearness == nil ? text.lend { $0.parting(from: new) } : nil,
        // What was announced comes, as far as anybody knows.
        weight: beginsHere && nearness != nil ? 0 : nil, isChosen: false,
        reason: Explanation.Reading.announced(numbers)
          + (beginsHere ? "" : ", which begins at another snapshot"))
    }
  }

  /// What each edit that waits leads to, with those before it from where the pair begins.
  fileprivate func predictions(from old: Fields, to new: Fields) -> [Prediction] {
    let first = start(at: old)
    let chain = first.map { $0..<chainEnd(from: $0) }
    return announcements.indices.compactMap { place in
      let beginsHere = chain?.contains(place) ?? false
      let numbers = announcements[(beginsHere ? chain?.lowerBound ?? place : place)...place].map(
        \.number)
      let nearest = announcements[place].new.min { $0.distance(to: new) < $1.distance(to: new) }
      return nearest.map { Prediction(numbers: numbers, beginsHere: beginsHere, text: $0) }
    }
  }
}

extension Fields {
  /// Where `seen` parts from this: where the two read differently, else where one shows more.
  fileprivate func parting(from seen: Fields) -> Explanation.Parting {
    let (before, after) = (before.bytes, after.bytes)
    let left = before.commonEnd(seen.before.bytes)
    let right = after.commonStart(seen.after.bytes)
    if before.commonSuffix(seen.before.bytes) < min(before.count, seen.before.bytes.count) {
      return .init(field: .before, offset: left)
    }
    if selected.bytes != seen.selected.bytes {
      return .init(field: .selected, offset: selected.bytes.commonStart(seen.selected.bytes))
    }
    let isAfter = after.commonPrefix(seen.after.bytes) < min(after.count, seen.after.bytes.count)
    return isAfter || before.count == seen.before.bytes.count
      ? .init(field: .after, offset: right) : .init(field: .before, offset: left)
  }
}
