import ContextDiff
import ContextDiffClient
import ContextDiffWire

/// Who answers the pairs of a batch.
enum Answerer {
  /// A daemon, as patiently as the options say.
  case daemon(ContextDiffClient, DaemonOptions)
  /// This process, each pair by itself.
  case classifier(Classifier)
  /// This process, with the memory of one session.
  case session(Session, Classifier)

  /// Each pair's answer, in order.
  mutating func answers(
    to pairs: [PairParameters]
  ) async throws -> [Result<PairReply, ContextDiffError>] {
    switch self {
    case .daemon(let client, let daemon):
      return try await daemon.answer { try await client.answers(to: pairs) }
    case .classifier(let classifier):
      return pairs.map { pair in
        .success(
          PairReply(sequence: nil, transition: classifier.classify(Observation(pair))))
      }
    case .session(var session, let classifier):
      defer { self = .session(session, classifier) }
      return pairs.map { pair in
        let transition =
          pair.secure
          ? session.preview(pair, with: classifier) : session.post(pair, with: classifier)
        return .success(PairReply(sequence: nil, transition: transition))
      }
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

  /// Reads a pair that is not to be remembered.
  func preview(_ pair: PairParameters, with classifier: Classifier) -> Transition? {
    preview(
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
