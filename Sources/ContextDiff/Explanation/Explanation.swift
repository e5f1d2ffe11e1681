/// Why a pair is classified as it is: everything that was compared, for a person to read.
public struct Explanation: Sendable {
  /// What the pair is classified as.
  public var transition: Transition
  /// How the old and the new text left of the caret overlap.
  public var left: Overlay
  /// How the old and the new text right of the caret overlap.
  public var right: Overlay
  /// The published list, line by line.
  public var list: [Line]
  /// The readings that were tried, the winning one first, then those that agree, likeliest first,
  /// then the others.
  public var readings: [Reading]

  /// How the old and the new text on one side of the caret overlap: lengths in scalars, none negative.
  public struct Overlay: Sendable, Hashable {
    /// How much only the old window reaches, at its far end.
    public var oldCut: Int
    /// How much only the new window reaches, at its far end.
    public var newCut: Int
    /// How much both show.
    public var kept: Int
    /// How much is gone, next to the caret.
    public var removed: Int
    /// How much has come, next to the caret.
    public var added: Int
  }

  /// A line of the published list.
  public struct Line: Sendable {
    /// Its number, from 1 to 9.
    public var number: Int
    /// Its condition, as published.
    public var condition: String
    /// The kind that it gives.
    public var kind: Kind
    /// Whether its condition holds by itself.
    public var holds: Bool
    /// Whether it is the first that holds.
    public var decides: Bool
    /// The values that it compared, by the names in its condition.
    public var compared: [Value]

    /// A value that a line compared; printed, it shows its name alone.
    public struct Value: Sendable {
      /// Its name in the condition.
      public var name: String
      /// What it was: text of the two snapshots, or of the pasteboard.
      public var text: String
    }
  }

  /// A reading that was tried on the pair.
  public struct Reading: Sendable {
    /// What the person would have done.
    public var kind: Kind
    /// What would have been seen; `nil` for a reading that can show any text.
    public var prediction: Snapshot?
    /// Whether unknown text would come into view left of the caret.
    public var reachesUnknownLeft: Bool
    /// Whether unknown text would come into view right of the caret.
    public var reachesUnknownRight: Bool
    /// How the new snapshot agrees with it.
    public var agreement: Agreement
    /// Where the new snapshot differs from it; `nil` where it does not.
    public var parting: Parting?
    /// The binary logarithm of its likelihood (bits); `nil` where it does not agree.
    public var weight: Double?
    /// Whether it is the one chosen.
    public var isChosen: Bool
    /// What decided for or against it, in a few English words; empty where nothing is to be said.
    public var reason: String
  }

  /// How a reading's prediction agrees with the new snapshot.
  public enum Agreement: String, Sendable {
    /// As the window's rule shows it.
    case exact
    /// The same text, cut elsewhere than the rule says.
    case recut
    /// Nothing is shown where there is text.
    case hidden
    /// Other text.
    case none
  }

  /// Where a prediction and the new snapshot differ.
  public struct Parting: Sendable, Hashable {
    /// The field in which they differ.
    public var field: Field
    /// How many scalars of the field agree, counted from the caret outwards, in `selected` from its start.
    public var offset: Int

    /// A field of a snapshot.
    public enum Field: String, Sendable {
      /// The text left of the caret.
      case before
      /// The selected text.
      case selected
      /// The text right of the caret.
      case after
    }
  }
}
