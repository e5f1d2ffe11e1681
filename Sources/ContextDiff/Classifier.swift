/// Says what happened between two snapshots, from these alone.
public struct Classifier: Sendable {
  /// The scalars that end a sentence.
  public var terminators: Terminators

  /// A classifier for hosts whose sentences end with `terminators`.
  public init(terminators: Terminators = .standard) {
    self.terminators = terminators
  }

  /// The best reading of a pair.
  public func classify(_ observation: Observation) -> Transition {
    fatalError()
  }
}

/// The scalars that end a sentence.
public struct Terminators: Sendable {
  /// The model's own: `。．.!?！？…`.
  public static let standard = Terminators("。．.!?！？…")

  /// Each scalar of `scalars` ends a sentence.
  public init(_ scalars: String) {}
}
