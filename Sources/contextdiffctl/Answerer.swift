import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Synchronization

/// Who answers the pairs of a batch.
enum Answerer {
  /// A daemon, as patiently as the options say.
  case daemon(ContextDiffClient, DaemonOptions)
  /// This process, each pair by itself.
  case classifier(Classifier)
  /// This process, with the memory of one session.
  case session(Session, Classifier)

  /// The longest line that is taken, in bytes: what is not a line's own must be within a daemon's frame, too.
  func lineLimit() async throws -> Int {
    guard case .daemon(let client, let daemon) = self else { return Input.longestLine }
    return try await daemon.answer { try await client.callLimit() } - 512
  }

  /// What the pairs of a batch were answered.
  struct Answers {
    /// Each pair's answer, in order, as far as they came.
    var given: [Result<PairReply, ContextDiffError>]
    /// Why no more came; `nil` where all did.
    var failure: (any Error)?
  }

  /// Each pair's answer.
  mutating func answers(to pairs: [PairParameters]) async -> Answers {
    switch self {
    case .daemon(let client, let daemon):
      let given = Mutex<[Result<PairReply, ContextDiffError>]>([])
      var failure: (any Error)?
      do {
        _ = try await daemon.answer {
          try await client.answers(to: pairs) { answer in given.withLock { $0.append(answer) } }
        }
      } catch { failure = error }
      return Answers(given: given.withLock { $0 }, failure: failure)
    case .classifier(let classifier):
      return Answers(
        given: pairs.map { pair in
          .success(
            PairReply(sequence: nil, transition: classifier.classify(Observation(pair))))
        })
    case .session(var session, let classifier):
      defer { self = .session(session, classifier) }
      return Answers(
        given: pairs.map { pair in
          let transition =
            pair.secure
            ? session.postSecure(pair, with: classifier) : session.post(pair, with: classifier)
          return .success(PairReply(sequence: nil, transition: transition))
        })
    }
  }
}

extension Session {
  /// Reads a pair and remembers it.
  mutating func post(_ pair: PairParameters, with classifier: Classifier) -> Transition? {
    post(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: classifier)
  }

  /// Reads a pair of a password field.
  mutating func postSecure(_ pair: PairParameters, with classifier: Classifier) -> Transition? {
    postSecure(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: classifier)
  }

  /// How a pair is read.
  func explain(_ pair: PairParameters, with classifier: Classifier) -> Explanation? {
    explain(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: classifier)
  }
}
