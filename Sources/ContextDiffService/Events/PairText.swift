internal import Glibc

/// The JSON members that a pair adds to an event, where they lie: laid behind each other only where
/// they are kept.
///
/// Valid as long as the memory that it was given.
package struct PairText {
  /// The snapshots' JSON; both empty where there are none.
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  /// The other members, each with the comma before it.
  private let others: UnsafeRawBufferPointer

  /// The members `old` and `new` of these values, and others.
  ///
  /// - Parameters:
  ///   - old: A JSON object.
  ///   - new: Another one.
  ///   - others: Further members, each with a comma before it; or nothing.
  init(
    old: UnsafeRawBufferPointer, new: UnsafeRawBufferPointer, others: UnsafeRawBufferPointer
  ) {
    (self.old, self.new, self.others) = (old, new, others)
  }

  /// No snapshots, and other members.
  ///
  /// - Parameter others: Each with a comma before it; or nothing.
  package init(others: UnsafeRawBufferPointer) {
    self.init(old: .nothing, new: .nothing, others: others)
  }

  /// No members.
  static var none: PairText { PairText(others: .nothing) }

  private static let oldName: StaticString = #","old":"#
  private static let newName: StaticString = #","new":"#

  /// How many bytes all are.
  var byteCount: Int {
    let names =
      old.isEmpty ? 0 : PairText.oldName.utf8CodeUnitCount + PairText.newName.utf8CodeUnitCount
    return names + old.count + new.count + others.count
  }

  /// Writes all, `byteCount` bytes, to `place`.
  func copy(to place: UnsafeMutableRawPointer) {
    var end = place
    if !old.isEmpty {
      end = UnsafeRawBufferPointer(PairText.oldName).copy(to: end)
      end = old.copy(to: end)
      end = UnsafeRawBufferPointer(PairText.newName).copy(to: end)
      end = new.copy(to: end)
    }
    _ = others.copy(to: end)
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  fileprivate init(_ text: StaticString) {
    self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Writes the bytes to `place`, and says where they end there.
  func copy(to place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    guard let baseAddress else { return place }
    memcpy(place, baseAddress, count)
    return place + count
  }
}
