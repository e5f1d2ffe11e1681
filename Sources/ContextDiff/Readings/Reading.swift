/// One thing that a person may have done.
///
/// It looks at a pair and proposes how, and each proposal's prediction is compared with what was
/// seen. `Inference` asks other readings where text is selected now than where none is.
protocol Reading {
  /// Puts forward what this reading can make of `pair`.
  static func propose(for pair: borrowing Pair, in contest: inout Contest)
}
