import ContextDiff

/// What no engine can tell apart: pairs that several kinds lead to, by the kind that weighs most.
struct Ambiguity {
  private struct Rivals: Hashable {
    var winner: Kind
    var loser: Kind
  }

  private var lost: [Rivals: Double] = [:]
  private var examples: [Rivals: [(loss: Double, pair: WeighedPair)]] = [:]
  private var total = 0.0

  init(_ pairs: [WeighedPair]) {
    for pair in pairs {
      total += pair.total
      guard let winner = Kind.allCases.max(by: { pair.weights[$0.index] < pair.weights[$1.index] })
      else { continue }
      for loser in Kind.allCases where loser != winner && pair.weights[loser.index] > 0 {
        let rivals = Rivals(winner: winner, loser: loser)
        let loss = pair.weights[loser.index]
        lost[rivals, default: 0] += loss
        examples[rivals, default: []].append((loss, pair))
      }
    }
  }

  /// The heaviest rivalries, each with its heaviest pairs.
  func lines(_ count: Int, examples examplesEach: Int) -> [String] {
    lost.sorted { $0.value > $1.value }.prefix(count).flatMap { rivals, loss in
      let share = rounded(100 * loss / total, 3)
      let heaviest = (examples[rivals] ?? []).sorted { $0.loss > $1.loss }.prefix(examplesEach)
      return ["  \(share)% \(rivals.loser.rawValue) lost to \(rivals.winner.rawValue)"]
        + heaviest.map {
          "      \(rounded(100 * $0.loss / total, 4))% \($0.pair.drawing)  \($0.pair.kinds)"
        }
    }
  }
}
