/// A signed length of text, in the units that clients count in.
public struct Extent: Sendable, Hashable {
  /// The length in Unicode scalars.
  public var scalars: Int
  /// The length in UTF-16 code units.
  public var utf16: Int
  /// The length in extended grapheme clusters (UAX #29), counted on that text alone.
  public var graphemes: Int

  /// A length of the counts given.
  public init(scalars: Int, utf16: Int, graphemes: Int) {
    self.scalars = scalars
    self.utf16 = utf16
    self.graphemes = graphemes
  }
}
