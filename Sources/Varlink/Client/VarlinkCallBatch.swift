/// Calls that are sent in one go and answered in order: what a client uses that has many.
public struct VarlinkCallBatch: ~Copyable {
  /// An empty batch.
  public init() { fatalError() }

  /// How many calls it holds.
  public var count: Int { fatalError() }

  /// Adds a call.
  ///
  /// - Parameters:
  ///   - method: its full name.
  ///   - parameters: writes the members of the parameters' object.
  public mutating func append(_ method: String, _ parameters: (inout JSONWriter) -> Void) {
    fatalError()
  }

  /// Forgets the calls; the memory stays.
  public mutating func removeAll() { fatalError() }
}
