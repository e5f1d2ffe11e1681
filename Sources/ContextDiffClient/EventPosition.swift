/// A position among a daemon's events, from which a subscription can go on.
public struct EventPosition: Sendable, Hashable {
  /// The run of the daemon that has given `sequence`; `nil` for the present run.
  public var instance: String?
  /// The number of the last event received; 0 for none.
  public var sequence: Int

  /// The position behind the event with the number `sequence` of the run `instance`.
  public init(instance: String? = nil, sequence: Int) {
    self.instance = instance
    self.sequence = sequence
  }
}
