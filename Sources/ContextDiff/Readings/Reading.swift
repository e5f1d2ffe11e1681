/// One thing that a person may have done.
///
/// It looks at a pair and proposes how, and each proposal's prediction is compared with what was
/// seen. Which readings are heard depends on whether text is
/// selected now.
protocol Reading {
  /// Puts forward what this reading can make of `pair`.
  static func propose(for pair: borrowing Pair, in contest: inout Contest)
}
