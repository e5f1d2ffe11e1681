/// A place in what the daemon reports, to go on from.
public struct EventPosition: Sendable, Hashable {
  /// The run that counts; `nil` for the one that answers.
  public var instance: String?
  /// The number of the last event already seen; 0 for none.
  public var sequence: Int

  /// The place after event `sequence` of `instance`.
  public init(instance: String? = nil, sequence: Int) {
    self.instance = instance
    self.sequence = sequence
  }
}
