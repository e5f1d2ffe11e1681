internal import Glibc

/// The JSON members that a pair adds to an event, where they lie: laid behind each other only where
/// they are kept.
///
/// Safe: valid as long as the memory that it was given, which who makes one answers for.
@safe
package struct PairText {
  /// The snapshots' JSON; both empty where there are none.
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  /// The other members, each with the comma before it.
  private let others: UnsafeRawBufferPointer
  /// Whether the pasteboard's text is among these.
  let holdsPasteboard: Bool

  /// The members `old` and `new` of these values, and others.
  ///
  /// - Parameters:
  ///   - old: A JSON object.
  ///   - new: Another one.
  ///   - others: Further members, each with a comma before it; or nothing.
  ///   - holdsPasteboard: Whether one of these is `pasteboard`.
  init(
    old: UnsafeRawBufferPointer, new: UnsafeRawBufferPointer, others: UnsafeRawBufferPointer,
    holdsPasteboard: Bool = false
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
      old: .nothing, new: .nothing, others: others, holdsPasteboard: holdsPasteboard)
  }

  /// No members.
  // Unsafe: no bytes.
  static var none: PairText { unsafe PairText(others: .nothing) }

  private static let oldName: StaticString = #","old":"#
  private static let newName: StaticString = #","new":"#

  /// How many bytes all are.
  var byteCount: Int {
    let names =
      // Unsafe: only counted.
      unsafe old.isEmpty
      ? 0 : PairText.oldName.utf8CodeUnitCount + PairText.newName.utf8CodeUnitCount
    return unsafe names + old.count + new.count + others.count
  }

  /// Writes all, `byteCount` bytes, to `place`.
  func copy(to place: UnsafeMutableRawPointer) {
    // Unsafe: the caller has room for `byteCount` bytes.
    var end = unsafe place
    if unsafe !old.isEmpty {
      unsafe end = UnsafeRawBufferPointer(PairText.oldName).copy(to: end)
      unsafe end = old.copy(to: end)
      unsafe end = UnsafeRawBufferPointer(PairText.newName).copy(to: end)
      unsafe end = new.copy(to: end)
    }
    _ = unsafe others.copy(to: end)
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
