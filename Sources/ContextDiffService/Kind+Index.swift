package import ContextDiff

extension Kind {
  /// The kinds by their indices.
  static let byIndex = allCases

  /// The kind's place in `allCases`.
  ///
  /// - Complexity: O(1): the memory of an enumeration without payloads is that place.
  var index: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}

/// A set of kinds, one bit each.
struct KindSet: OptionSet {
  let rawValue: UInt32

  static let all = KindSet(rawValue: .max)

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(_ kinds: some Sequence<Kind>) {
    rawValue = kinds.reduce(0) { $0 | 1 << UInt32($1.index) }
  }

  func contains(_ kind: Kind) -> Bool {
    rawValue & 1 << UInt32(kind.index) != 0
  }
}

/// A count for each kind.
package struct KindCounts {
  private var counts = [Int](repeating: 0, count: Kind.byIndex.count)

  /// Zero for each.
  package init() {}

  package subscript(kind: Kind) -> Int {
    get { counts[kind.index] }
    set { counts[kind.index] = newValue }
  }

  /// Adds each kind's count.
  package static func += (sum: inout KindCounts, more: KindCounts) {
    for kind in Kind.byIndex { sum[kind] += more[kind] }
  }

  /// The sum of all.
  package var total: Int { counts.reduce(0, +) }

  /// The counts that are not zero, by the kinds' names.
  package var byName: [String: Int] {
    var named: [String: Int] = [:]
    for kind in Kind.byIndex where self[kind] > 0 { named[kind.rawValue] = self[kind] }
    return named
  }

  /// The counts that are not zero, in words, the largest first: `insertion 12, cut 1`.
  var text: String {
    byName.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
