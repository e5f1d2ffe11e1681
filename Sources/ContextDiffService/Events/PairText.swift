internal import ContextDiffWire
internal import Glibc

/// The JSON members that a pair adds to an event, as references to where they are; they are copied only into the ring.
///
/// `@safe`: whoever makes one must not use it longer than the memory that it refers to is valid.
@safe
package struct PairText {
  /// A snapshot's JSON object: `start`, and `end` behind it; empty where there is no snapshot.
  typealias Snapshot = (start: UnsafeRawBufferPointer, end: StaticString)

  private let old: Snapshot
  private let new: Snapshot
  /// The other members, each with the comma before it.
  private let others: UnsafeRawBufferPointer
  /// Whether `pasteboard` is among the other members.
  let holdsPasteboard: Bool

  /// The members `old` and `new` with these values, and others.
  ///
  /// - Parameters:
  ///   - old: A snapshot; where it is empty, neither `old` nor `new` is a member.
  ///   - new: A snapshot.
  ///   - others: Further members, each with a comma before it; may be empty.
  ///   - holdsPasteboard: Whether one of the others is `pasteboard`.
  init(
    old: Snapshot, new: Snapshot, others: UnsafeRawBufferPointer, holdsPasteboard: Bool = false
  ) {
    // Unsafe: whoever makes this keeps the memory valid, as said above.
    unsafe (self.old, self.new, self.others) = (old, new, others)
    self.holdsPasteboard = holdsPasteboard
  }

  /// Members without snapshots.
  ///
  /// - Parameters:
  ///   - others: The members, each with a comma before it; may be empty.
  ///   - holdsPasteboard: Whether one of them is `pasteboard`.
  package init(others: UnsafeRawBufferPointer, holdsPasteboard: Bool = false) {
    // Unsafe: whoever makes this keeps the memory valid, as said above.
    unsafe self.init(
      old: (.nothing, ""), new: (.nothing, ""), others: others, holdsPasteboard: holdsPasteboard)
  }

  /// No members.
  // Unsafe: refers to no bytes.
  static var none: PairText { unsafe PairText(others: .nothing) }

  private static let oldName: StaticString = #","old":"#
  private static let newName: StaticString = #","new":"#

  /// How many bytes all members have together.
  var byteCount: Int {
    // Unsafe: only lengths are read.
    if unsafe old.start.isEmpty { return unsafe others.count }
    let names = PairText.oldName.utf8CodeUnitCount + PairText.newName.utf8CodeUnitCount
    let snapshots = unsafe PairText.count(old) + PairText.count(new)
    return unsafe names + snapshots + others.count
  }

  private static func count(_ snapshot: Snapshot) -> Int {
    // Unsafe: only lengths are read.
    unsafe snapshot.start.count + snapshot.end.utf8CodeUnitCount
  }

  /// Copies all members, `byteCount` bytes, to `place`.
  func copy(to place: UnsafeMutableRawPointer) {
    // Unsafe: the caller has room for `byteCount` bytes.
    var end = unsafe place
    if unsafe !old.start.isEmpty {
      unsafe end = PairText.copy(old, named: PairText.oldName, to: end)
      unsafe end = PairText.copy(new, named: PairText.newName, to: end)
    }
    _ = unsafe others.copy(to: end)
  }

  /// Copies a member that is a snapshot, and returns where it ends.
  private static func copy(
    _ snapshot: Snapshot, named name: StaticString, to place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // Unsafe: the caller's place has room for the name and the snapshot.
    let start = unsafe UnsafeRawBufferPointer(name).copy(to: place)
    return unsafe UnsafeRawBufferPointer(snapshot.end).copy(to: snapshot.start.copy(to: start))
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  // Unsafe: refers to none.
  static var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

  fileprivate init(_ text: StaticString) {
    // Unsafe: a literal's bytes are never freed.
    unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Copies the bytes to `place`, and returns where they end there.
  func copy(to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Unsafe: the caller's place has room for as many.
    guard let baseAddress, count > 0 else { return unsafe place }
    unsafe memcpy(place, baseAddress, count)
    return unsafe place + count
  }
}
