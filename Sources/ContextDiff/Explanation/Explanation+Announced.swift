extension Explanation {
  /// Adds a reading for each announced edit that waits: what it predicts for a pair from `old` to `new`.
  ///
  /// The reading of the last edit that the transition names is the chosen one.
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

  /// Sorts the readings: the chosen one, those that agree, the likeliest first, then the others; of some that are as
  /// likely, in the order of the transition's alternatives.
  mutating func sortReadings() {
    let named = transition.alternatives
    readings.sort { first, second in
      if first.isChosen != second.isChosen { return first.isChosen }
      guard let weight = first.weight, weight == second.weight else {
        return first.weight ?? -.infinity > second.weight ?? -.infinity
      }
      return named.firstIndex(of: first.kind) ?? named.count
        < named.firstIndex(of: second.kind) ?? named.count
    }
  }
}

extension Explanation.Reading {
  /// The reading that the announced edits of these numbers came otherwise than announced; without numbers, that one
  /// came in part, or late.
  fileprivate static func announcedElsewhere(
    _ numbers: [Int], seen new: Fields
  ) -> Explanation.Reading {
    Explanation.Reading(
      kind: .expected, prediction: Snapshot(new), reachesUnknownLeft: false,
      reachesUnknownRight: false, agreement: .exact, parting: nil, weight: 0, isChosen: true,
      reason: numbers.isEmpty
        ? "an announced edit, in part or late" : announced(numbers) + ", made elsewhere")
  }

  /// The announced edits of these numbers, in words.
  fileprivate static func announced(_ numbers: [Int]) -> String {
    (numbers.count == 1 ? "announced edit " : "announced edits ") + numbers.asEditNumbers
  }
}

extension [Int] {
  /// The numbers of announced edits as people are shown them: `#3, #4`.
  package var asEditNumbers: String { map { "#\($0)" }.joined(separator: ", ") }
}

extension ExpectedEdits {
  /// What the host should show after announced edits.
  fileprivate struct Prediction {
    /// Their numbers, in the order of their chain.
    let numbers: [Int]
    /// Whether the first one begins at the pair's old snapshot.
    let beginsHere: Bool
    /// Of the texts that they may lead to, the one most like the new snapshot.
    let text: AnnouncedText

    /// The reading that predicts this, compared with the new snapshot `new`.
    func explained(seen new: Fields) -> Explanation.Reading {
      let nearness = AnnouncedText.Nearness.allCases.first { text.isShown(by: new, $0) }
      return Explanation.Reading(
        kind: .expected, prediction: text.lend { Snapshot($0) },
        reachesUnknownLeft: text.left.isExceeded, reachesUnknownRight: text.right.isExceeded,
        agreement: nearness.map { $0 == .equal ? .exact : .recut } ?? .none,
        parting: nearness == nil ? text.lend { $0.parting(from: new) } : nil,
        // Where it agrees, nothing is likelier.
        weight: beginsHere && nearness != nil ? 0 : nil, isChosen: false,
        reason: Explanation.Reading.announced(numbers)
          + (beginsHere ? "" : ", which begins at another snapshot"))
    }
  }

  /// The prediction of each edit that waits; with those before it in its chain if that begins at the old snapshot.
  fileprivate func predictions(from old: Fields, to new: Fields) -> [Prediction] {
    let chain = start(at: old).map { $0..<chainEnd(from: $0) }
    return announcements.indices.compactMap { place in
      let first = chain.flatMap { $0.contains(place) ? $0.lowerBound : nil }
      let numbers = announcements[(first ?? place)...place].map(\.number)
      let nearest = announcements[place].new.min { $0.distance(to: new) < $1.distance(to: new) }
      return nearest.map { Prediction(numbers: numbers, beginsHere: first != nil, text: $0) }
    }
  }
}

extension Fields {
  /// Where `seen` differs from this: where their texts differ, or else where one of the two shows more.
  fileprivate func parting(from seen: Fields) -> Explanation.Parting {
    let (before, after) = (before.bytes, after.bytes)
    let left = before.scalarsToEnd(sharedWith: seen.before.bytes)
    let right = after.scalarsFromStart(sharedWith: seen.after.bytes)
    if before.commonSuffix(seen.before.bytes) < min(before.count, seen.before.bytes.count) {
      return .init(field: .before, offset: left)
    }
    if selected.bytes != seen.selected.bytes {
      return .init(
        field: .selected,
        offset: selected.bytes.scalarsFromStart(sharedWith: seen.selected.bytes))
    }
    let isAfter = after.commonPrefix(seen.after.bytes) < min(after.count, seen.after.bytes.count)
    return isAfter || before.count == seen.before.bytes.count
      ? .init(field: .after, offset: right) : .init(field: .before, offset: left)
  }
}
