internal import ContextDiffWire
public import ContextDiff

/// What became of a post.
public struct Posted: Sendable {
  /// The event's number; `nil` where nothing was reported: for a baseline and a secure field.
  public let sequence: Int?
  /// What happened; `nil` where the post only set the session's baseline.
  public let transition: Transition?

  init(_ reply: PairReply) {
    sequence = reply.sequence
    transition = reply.transition
  }
}
