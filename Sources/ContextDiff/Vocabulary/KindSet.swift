/// A set of kinds: bit `slot` stands for the kind with that slot.
package struct KindSet: OptionSet {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ kind: Kind) { self.init(rawValue: 1 &<< UInt32(kind.slot)) }

  /// The kinds of the same family as `kind`.
  init(familyOf kind: Kind) { self = KindSet.families[kind.slot] }

  /// The family of each kind, by slot; made once.
  private static let families: [KindSet] = Kind.allCases.map { kind in
    KindSet(Kind.allCases.filter { $0.family == kind.family }.map { KindSet($0) })
  }
}
