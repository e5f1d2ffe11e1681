import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Synchronization

/// Who reads the pairs that `classify` sends in batches: a daemon or this process.
enum Answerer {
  /// A daemon, which may take as long as `--timeout` says for each batch.
  case daemon(ConnectedDaemon)
  /// This process; each pair is read without those before it.
  case classifier
  /// This process; the session remembers the pairs before.
  case session(Session)

  /// The longest call by which a pair can be asked for, in bytes; unlimited in this process.
  func callLimit() async throws -> Int {
    guard case .daemon(let daemon) = self else { return .max }
    return try await daemon.answer { try await $0.callLimit() }
  }

  /// The answers to the pairs of a batch.
  struct Answers {
    /// The answers in the order of the pairs; fewer than the pairs where `failure` is set.
    var given: [Result<PairReply, ContextDiffError>]
    /// Why the other pairs got no answer; `nil` where each pair got one.
    var failure: (any Error)?
  }

  /// Reads `pairs`; of no pairs, no answers.
  mutating func answers(to pairs: [PairParameters]) async -> Answers {
    switch self {
    case .daemon(let daemon):
      let given = Mutex<[Result<PairReply, ContextDiffError>]>([])
      var failure: (any Error)?
      do {
        _ = try await daemon.answer { client in
          try await client.answers(to: pairs) { answer in given.withLock { $0.append(answer) } }
        }
      } catch { failure = error }
      return Answers(given: given.withLock { $0 }, failure: failure)
    case .classifier:
      return Answers(pairs.map { Classifier().classify(Observation($0)) })
    case .session(var session):
      defer { self = .session(session) }
      return Answers(pairs.map { session.post($0, with: Classifier()) })
    }
  }
}

extension Answerer.Answers {
  /// The answers of this process.
  fileprivate init(_ transitions: [Transition?]) {
    given = transitions.map { .success(PairReply(sequence: nil, transition: $0)) }
  }
}

extension Session {
  /// Reads `pair` and remembers it, but nothing of the texts of one that is `secure`; `nil` where it only sets the
  /// baseline, or there is nothing before it.
  mutating func post(_ pair: PairParameters, with classifier: Classifier) -> Transition? {
    if pair.secure {
      return postSecure(
        old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
        with: classifier)
    }
    return post(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: classifier)
  }

  /// Why `pair` is read as it is, without remembering it; `nil` where there is no snapshot before it.
  func explain(_ pair: PairParameters, with classifier: Classifier) -> Explanation? {
    explain(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: classifier)
  }
}
