/// What is new in a host's field: a snapshot, and what is known of how it came about.
public struct HostNews: Sendable, Hashable {
  /// The text around the caret.
  public var snapshot: Snapshot
  /// How the host cuts it, the key that went to it, whether several acts may lie in the news, and whether
  /// it reset its input method; what was composed, and who made the change, a host does not tell so.
  public var evidence: Evidence

  /// The evidence, with what was being composed before.
  package func evidence(composing composition: Composition?) -> Evidence {
    var evidence = evidence
    evidence.composition = composition
    return evidence
  }
}

/// The same with the text where it lies.
package struct LentHostNews {
  let told: ToldText
  package let selectionShown: Bool?
  package let caret: Int?
  package let evidence: Evidence

  /// The snapshot in `text`, which must be what the news were made of.
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
  /// Reads the change to what is new in a host's field, and remembers it.
  ///
  /// - Parameters:
  ///   - news: What the host told.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - composition: What was being composed before.
  ///   - classifier: What reads the pair.
  /// - Returns: What happened; `nil` where the news only set the baseline.
  /// - Complexity: As `post`.
  public mutating func post(
    _ news: HostNews, pasteboard: String? = nil, composition: Composition? = nil,
    with classifier: Classifier
  ) -> Transition? {
    // Its keys are told by name: another shortcut takes back, does again, cuts or pastes in hardly any host.
    if news.evidence.key != nil { namesShortcuts = true }
    return post(
      new: news.snapshot, pasteboard: pasteboard,
      evidence: news.evidence(composing: composition), with: classifier)
  }
}
