internal import ContextDiffWire
internal import Glibc

/// The JSON members that a pair adds to an event, where they lie: laid behind each other only where
/// they are kept.
///
/// Safe: valid as long as the memory that it was given, which who makes one answers for.
@safe
package struct PairText {
  /// A snapshot's JSON, which is what lies at a place, and an ending; empty where there is none.
  typealias Snapshot = (start: UnsafeRawBufferPointer, end: StaticString)

  private let old: Snapshot
  private let new: Snapshot
  /// The other members, each with the comma before it.
  private let others: UnsafeRawBufferPointer
  /// Whether the pasteboard's text is among these.
  let holdsPasteboard: Bool

  /// The members `old` and `new` of these values, and others.
  ///
  /// - Parameters:
  ///   - old: A JSON object; where it is none, `new` is none either.
  ///   - new: Another one.
  ///   - others: Further members, each with a comma before it; or nothing.
  ///   - holdsPasteboard: Whether one of these is `pasteboard`.
  init(
    old: Snapshot, new: Snapshot, others: UnsafeRawBufferPointer, holdsPasteboard: Bool = false
  ) {
    // Unsafe: valid as long as this.
    unsafe (self.old, self.new, self.others) = (old, new, others)
    self.holdsPasteboard = holdsPasteboard
  }

  /// No snapshots, and other members.
  ///
  /// - Parameters:
  ///   - others: Each with a comma before it; or nothing.
  ///   - holdsPasteboard: Whether one of these is `pasteboard`.
  package init(others: UnsafeRawBufferPointer, holdsPasteboard: Bool = false) {
    // Unsafe: as above.
    unsafe self.init(
      old: (.nothing, ""), new: (.nothing, ""), others: others, holdsPasteboard: holdsPasteboard)
  }

  /// No members.
  // Unsafe: no bytes.
  static var none: PairText { unsafe PairText(others: .nothing) }

  private static let oldName: StaticString = #","old":"#
  private static let newName: StaticString = #","new":"#

  /// How many bytes all are.
  var byteCount: Int {
    // Unsafe: only counted.
    if unsafe old.start.isEmpty { return unsafe others.count }
    let names = PairText.oldName.utf8CodeUnitCount + PairText.newName.utf8CodeUnitCount
    let snapshots = unsafe PairText.count(old) + PairText.count(new)
    return unsafe names + snapshots + others.count
  }

  private static func count(_ snapshot: Snapshot) -> Int {
    // Unsafe: only counted.
    unsafe snapshot.start.count + snapshot.end.utf8CodeUnitCount
  }

  /// Writes all, `byteCount` bytes, to `place`.
  func copy(to place: UnsafeMutableRawPointer) {
    // Unsafe: the caller has room for `byteCount` bytes.
    var end = unsafe place
    if unsafe !old.start.isEmpty {
      unsafe end = PairText.copy(old, named: PairText.oldName, to: end)
      unsafe end = PairText.copy(new, named: PairText.newName, to: end)
    }
    _ = unsafe others.copy(to: end)
  }

  private static func copy(
    _ snapshot: Snapshot, named name: StaticString, to place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // Unsafe: as above.
    let start = unsafe UnsafeRawBufferPointer(name).copy(to: place)
    return unsafe UnsafeRawBufferPointer(snapshot.end).copy(to: snapshot.start.copy(to: start))
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  // Unsafe: no bytes.
  static var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

  fileprivate init(_ text: StaticString) {
    // Unsafe: a literal's bytes are never freed.
    unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Writes the bytes to `place`, and says where they end there.
  func copy(to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Unsafe: the caller has room for as many.
    guard let baseAddress else { return unsafe place }
    unsafe memcpy(place, baseAddress, count)
    return unsafe place + count
  }
}
