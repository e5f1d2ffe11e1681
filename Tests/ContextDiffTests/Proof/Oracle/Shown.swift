import ContextDiff

/// What a host shows of a field, as scalars, so that no comparison can fall back to graphemes.
struct Shown: Hashable {
  var before: [Unicode.Scalar]?
  var selected: [Unicode.Scalar]?
  var after: [Unicode.Scalar]?

  /// The three fields joined.
  var all: [Unicode.Scalar] { (before ?? []) + (selected ?? []) + (after ?? []) }

  var snapshot: Snapshot {
    Snapshot(
      before: before.map { String($0) }, selected: selected.map { String($0) },
      after: after.map { String($0) })
  }
}

/// A host that cuts its text by the model's part 1: an independent transcription, and the measure
/// of the engine's.
struct Host: Hashable {
  var window: Window
  /// How many scalars `before` and `after` hold at most; the sentence window has no limit.
  var limit = Int.max

  static let terminators = Set("。．.!?！？…".unicodeScalars)
  static let newline: Unicode.Scalar = "\n"

  init(_ window: Window, limit: Int? = nil) {
    self.window = window
    self.limit = limit ?? (window == .paragraph ? 1000 : Int.max)
  }

  /// Whether a selection of `text` is shown as it is: through `line` one over lines is not.
  func canShow(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    window != .line || !text.contains(Host.newline)
  }

  /// What the host shows of `field`.
  func shows(_ field: Field) -> Shown {
    let text = field.text
    let selected = field.hasSelection ? Array(field.selected) : nil
    switch window {
    case .sentence:
      return Shown(
        before: sentenceBefore(text, field.start), selected: selected,
        after: sentenceAfter(text, field.end))
    case .paragraph:
      let lineEnd = text[field.end...].firstIndex(of: Host.newline) ?? text.count
      return Shown(
        before: plain(text[..<field.start].suffix(limit)), selected: selected,
        after: plain(text[field.end..<lineEnd].prefix(limit)))
    case .line:
      let start = text[..<field.start].lastIndex(of: Host.newline).map { $0 + 1 } ?? 0
      let end = text[field.end...].firstIndex(of: Host.newline) ?? text.count
      return Shown(
        before: plain(text[start..<field.start].suffix(limit)), selected: selected,
        after: plain(text[field.end..<end].prefix(limit)))
    case .full:
      return Shown(
        before: plain(text[..<field.start].suffix(limit)), selected: selected,
        after: plain(text[field.end...].prefix(limit)))
    }
  }

  private func plain(_ slice: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
    slice.isEmpty ? nil : Array(slice)
  }

  private func sentenceBefore(_ text: [Unicode.Scalar], _ position: Int) -> [Unicode.Scalar]? {
    if position == 0 { return nil }
    if text[position - 1] == Host.newline { return [Host.newline] }
    var first = position
    while first > 0, Host.terminators.contains(text[first - 1]) { first -= 1 }
    while first > 0, text[first - 1] != Host.newline, !Host.terminators.contains(text[first - 1]) {
      first -= 1
    }
    return Array(text[first..<position])
  }

  private func sentenceAfter(_ text: [Unicode.Scalar], _ position: Int) -> [Unicode.Scalar]? {
    if position == text.count { return nil }
    if text[position] == Host.newline { return [] }
    var last = position
    while last < text.count, text[last] != Host.newline, !Host.terminators.contains(text[last]) {
      last += 1
    }
    while last < text.count, Host.terminators.contains(text[last]) { last += 1 }
    return Array(text[position..<last])
  }
}

extension Window {
  /// The windows whose figures are asserted; those of `line` come with its readings.
  static let asserted: [Window] = [.sentence, .paragraph, .full]
}
