/// One sort of act that a person may have done, such as an insertion.
///
/// It proposes hypotheses, each of which predicts a window that the contest compares with the new one. `Inference`
/// asks some readings only where text is selected now, others only where none is.
protocol Reading {
  /// Proposes all ways in which this reading may explain `pair`.
  static func propose(for pair: borrowing Pair, in contest: inout Contest)
}
