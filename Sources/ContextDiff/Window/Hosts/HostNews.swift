/// What is new in a host's field: a snapshot, and the evidence of how it came about.
public struct HostNews: Sendable, Hashable {
  /// The text around the caret.
  public var snapshot: Snapshot
  /// The window, the key, and whether there were several acts or a reset; `composition` and `cause`, which a
  /// host does not report, are `nil`.
  public var evidence: Evidence

  /// The evidence with what was being composed before.
  package func evidence(composing composition: Composition?) -> Evidence {
    var evidence = evidence
    evidence.composition = composition
    return evidence
  }
}

/// The same with ranges of the host's text instead of copies.
package struct LentHostNews {
  let told: ToldText
  package let selectionShown: Bool?
  package let caret: Int?
  package let evidence: Evidence

  /// The snapshot; `text` must be the host's text that the news was made of.
  package func fields(of text: Bytes) -> Fields {
    func field(_ start: Int, _ end: Int) -> Field {
      start == end ? .hidden : Field(text.prefix(end).dropFirst(start))
    }
    let selection = told.selection
    return Fields(
      before: field(told.start, selection.lowerBound),
      selected: field(selection.lowerBound, selection.upperBound),
      after: field(selection.upperBound, told.end), caret: caret, selectionShown: selectionShown)
  }
}

extension Session {
  /// Classifies the transition to what is new in a host's field, and remembers it.
  ///
  /// A shortcut without a name counts for none of undo, redo, cut and paste from the first pair on; where only evidence
  /// is given, as to the daemon, from the first of these four on.
  ///
  /// - Parameters:
  ///   - news: What the host reported.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - composition: What was being composed before.
  ///   - classifier: What reads the pair.
  /// - Returns: What happened; `nil` where the news only set the baseline.
  /// - Complexity: As `post`.
  @discardableResult
  public mutating func post(
    _ news: HostNews, pasteboard: String? = nil, composition: Composition? = nil,
    with classifier: Classifier
  ) -> Transition? {
    // `Key.init(keysym:)` names undo, redo, cut and paste: in nearly every host another shortcut is none of them.
    if news.evidence.key != nil { namesShortcuts = true }
    return post(
      new: news.snapshot, pasteboard: pasteboard,
      evidence: news.evidence(composing: composition), with: classifier)
  }
}
