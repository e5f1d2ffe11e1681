import ContextDiff

/// A small world that is enumerated whole: every document over `alphabet` up to `length` scalars.
struct Scope {
  var name: String
  var alphabet: [Unicode.Scalar]
  var length: Int
  var host: Host
  /// What the pasteboard may hold.
  var pasteboards: [[Unicode.Scalar]]
  /// Whether the engine is told what it holds.
  var pasteboardIsKnown: Bool
  var convention = Convention()
  /// Whether the model's 3b is done too.
  var hasEveryEdit = false
  /// Whether a pair or a proposal is typed over selections as well, which part 4 leaves open.
  var exchangesSelections = false

  init(
    _ name: String, _ alphabet: String, length: Int, window: Window, pasteboards: [String],
    pasteboardIsKnown: Bool, convention: Convention = Convention(), hasEveryEdit: Bool = false,
    exchangesSelections: Bool = false
  ) {
    self.hasEveryEdit = hasEveryEdit
    self.exchangesSelections = exchangesSelections
    self.name = name
    self.alphabet = Array(alphabet.unicodeScalars)
    self.length = length
    self.host = Host(window)
    self.pasteboardIsKnown = pasteboardIsKnown
    self.convention = convention
    self.pasteboards = pasteboards.map { Array($0.unicodeScalars) }
  }

  /// The name that a table shows.
  var title: String {
    "\(name) ≤\(length) \(host.window.rawValue)\(pasteboardIsKnown ? " +pasteboard" : "")"
      + (hasEveryEdit ? " 3b" : "") + (exchangesSelections ? " over selections" : "")
  }

  /// Calls `visit` with every document of the scope.
  func documents(_ visit: ([Unicode.Scalar]) -> Void) {
    func grow(_ document: [Unicode.Scalar]) {
      visit(document)
      if document.count == length { return }
      for scalar in alphabet { grow(document + [scalar]) }
    }
    grow([])
  }

  /// Calls `visit` with everything that a person may do in `field`, and its weight.
  func deeds(
    in field: Field, carets: [Int], pasteboards: [[Unicode.Scalar]], _ visit: (Deed, Double) -> Void
  ) {
    func each(_ weight: Double, _ deeds: [Deed]) {
      for deed in deeds { visit(deed, weight / Double(deeds.count)) }
    }
    each(4, carets.filter { field.hasSelection || $0 != field.start }.map { .move($0) })
    var selections: [Deed] = []
    for (index, start) in carets.enumerated() {
      for end in carets[(index + 1)...]
      where (start, end) != (field.start, field.end) && host.canShow(field.text[start..<end]) {
        selections.append(.select(start, end))
      }
    }
    each(3, selections)
    if field.hasSelection {
      each(1, [.cut])
      each(3, [.eraseSelection])
    } else {
      each(3, erasures(field))
    }
    each(6, alphabet.map { .type([$0]) })
    each(2, pasteboards.map { .paste($0) })
    if !field.text.isEmpty { each(0.5, [.submit]) }
    if hasEveryEdit { edits(in: field, each) }
  }

  /// The model's part 4, "with 3b's edits".
  private func edits(in field: Field, _ each: (Double, [Deed]) -> Void) {
    let pairs = alphabet.flatMap { first in alphabet.map { [first, $0] } }
    if !field.hasSelection || exchangesSelections {
      each(0.5, pairs.map { .typeAround($0) })
      each(0.5, pairs.map { .typeProposal($0) })
    }
    if field.hasSelection {
      each(
        0.5,
        (field.start..<field.end).flatMap { place in alphabet.map { .retouch(place, $0) } })
      each(0.5, alphabet.map { .enclose($0) })
      return
    }
    let caret = field.start
    var exchanges: [Deed] = []
    for left in 0...min(2, caret) {
      for right in 0...min(2, field.text.count - caret) where left + right > 0 {
        exchanges += alphabet.map { .exchange(caret - left..<caret + right, [$0]) }
      }
    }
    each(1, exchanges)
    if caret > 0, caret < field.text.count { each(0.5, [.eraseBothSides]) }
  }

  private func erasures(_ field: Field) -> [Deed] {
    let caret = field.start
    var deeds: [Deed] = []
    switch convention.erases {
    case .scalar:
      if caret > 0 { deeds.append(.erase(caret - 1..<caret)) }
      if caret < field.text.count { deeds.append(.erase(caret..<caret + 1)) }
    case .grapheme:
      let left = graphemeBoundaries(Array(field.text[..<caret]))
      if left.count > 1 { deeds.append(.erase(left[left.count - 2]..<caret)) }
      let right = graphemeBoundaries(Array(field.text[caret...]))
      if right.count > 1 { deeds.append(.erase(caret..<caret + right[1])) }
    }
    return deeds
  }
}

/// A pair as the engine gets it, and how much each kind weighs among all that may have led to it.
struct WeighedPair {
  var old: Shown
  var new: Shown
  var pasteboard: [Unicode.Scalar]?
  var weights: [Double]

  var total: Double { weights.reduce(0, +) }
  var best: Double { weights.max() ?? 0 }
}

extension Scope {
  /// Every distinct pair of the scope, each with the kinds that it may be.
  func pairs() -> [WeighedPair] {
    var shown: [Shown] = []
    var numbers: [Shown: Int] = [:]
    var known: [Field: Int] = [:]
    func number(_ field: Field) -> Int {
      if let number = known[field] { return number }
      let snapshot = host.shows(field)
      let number = numbers[snapshot] ?? shown.count
      if number == shown.count {
        shown.append(snapshot)
        numbers[snapshot] = number
      }
      known[field] = number
      return number
    }

    struct Key: Hashable {
      var old: Int
      var new: Int
      var pasteboard: [Unicode.Scalar]?
    }
    var indices: [Key: Int] = [:]
    var pairs: [WeighedPair] = []
    let worlds = pasteboardIsKnown ? pasteboards.map { [$0] } : [pasteboards]
    documents { document in
      let carets =
        convention.carets == .scalar
        ? Array(0...document.count) : graphemeBoundaries(document)
      for start in carets {
        for end in carets where end >= start && host.canShow(document[start..<end]) {
          let field = Field(document, start, end)
          let old = number(field)
          for world in worlds {
            deeds(in: field, carets: carets, pasteboards: world) { deed, weight in
              let new = number(deed.applied(to: field))
              var pasteboard: [Unicode.Scalar]?
              if pasteboardIsKnown {
                pasteboard = deed == .cut ? Array(field.selected) : world.first
              }
              let kind = convention.name(
                deed, from: field, shown: shown[old], to: shown[new], window: host.window,
                pasteboard: pasteboard)
              let key = Key(old: old, new: new, pasteboard: pasteboard)
              let index = indices[key] ?? pairs.count
              if index == pairs.count {
                indices[key] = index
                pairs.append(
                  WeighedPair(
                    old: shown[old], new: shown[new], pasteboard: pasteboard,
                    weights: Array(repeating: 0, count: Kind.allCases.count)))
              }
              pairs[index].weights[kind.index] += weight / Double(worlds.count)
            }
          }
        }
      }
    }
    return pairs
  }
}

extension Kind {
  /// The kind's place among all.
  var index: Int { Kind.allCases.firstIndex(of: self) ?? 0 }
}
