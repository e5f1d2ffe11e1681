/// How one side of the new window (`before` or `after`, what was *seen*) agrees with the text that a reading
/// predicts there.
struct Fit {
  enum Agreement: Comparable {
    /// The predicted text, cut as the window's rule says, as far as the text is known.
    case exact
    /// The predicted text, cut at another place.
    case recut
    /// Nothing, where text is predicted.
    case hidden
    /// Other text.
    case none
  }

  var agreement: Agreement
  /// How many of the seen bytes next to the caret were predicted.
  var matched = 0
  /// The seen text beyond the known text, which nothing predicts.
  var beyond = Bytes.empty
  /// Whether the side is seen to end, or a sentence to begin, at a place where that was not known.
  var isNewEnd = false

  /// How many scalars were not predicted; a new end counts as one more.
  var unknown: Int {
    beyond.newScalars(upTo: Measured.mostUnknown) + (isNewEnd ? 1 : 0)
  }

  static var none: Fit { Fit(agreement: .none) }
}
