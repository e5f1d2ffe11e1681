internal import ContextDiffWire
public import ContextDiff

/// The answer to a post.
public struct Posted: Sendable {
  /// The event's number; `nil` where no event was reported: for a baseline and a secure field.
  public let sequence: Int?
  /// What happened; `nil` where the post only set the session's baseline, with which the next one is compared.
  public let transition: Transition?

  init(sequence: Int?, transition: Transition?) {
    self.sequence = sequence
    self.transition = transition
  }

  init(_ reply: PairReply) {
    self.init(sequence: reply.sequence, transition: reply.transition)
  }
}
