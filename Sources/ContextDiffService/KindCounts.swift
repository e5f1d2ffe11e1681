package import ContextDiff
internal import ContextDiffWire

extension Kind {
  /// All kinds, each at the index that its `slot` gives; made once.
  static let bySlot = allCases
}

/// A count for each kind.
package struct KindCounts {
  /// The counts at the kinds' slots; there is room for 32 kinds.
  private var counts = InlineArray<32, Int>(repeating: 0)

  /// Zero for each.
  package init() {}

  package subscript(kind: Kind) -> Int {
    get { counts[kind.slot] }
    set { counts[kind.slot] = newValue }
  }

  /// Adds one to the count of the kind that has `slot`.
  mutating func addOne(inSlot slot: Int) { counts[slot] += 1 }

  /// Adds, kind by kind.
  package static func += (sum: inout KindCounts, more: KindCounts) {
    for kind in Kind.bySlot { sum[kind] += more[kind] }
  }

  /// The sum over all kinds.
  package var total: Int { Kind.bySlot.reduce(0) { $0 + self[$1] } }

  /// The counts that are not zero, by the kinds' names on the wire.
  package var byName: [String: Int] {
    var named: [String: Int] = [:]
    for kind in Kind.bySlot where self[kind] > 0 { named[kind.rawValue] = self[kind] }
    return named
  }

  /// The counts that are not zero, in words, the largest first: `insertion 12, cut 1`.
  var text: String {
    byName.largestFirst.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
