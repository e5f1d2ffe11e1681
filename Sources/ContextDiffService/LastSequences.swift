internal import Systemd

/// Where the events of forgotten users ended, so that a user who comes back goes on with the instance and the numbers.
package struct LastSequences {
  /// An event's number, and the instance that it belongs to.
  package typealias Last = (instance: String, sequence: Int)

  /// The most users that are kept; beyond them all are forgotten, and new rings have another instance.
  package static let limit = 1 << 16

  /// The instance of users who have none: 32 hexadecimal digits.
  package private(set) var instance: String
  private var byUser: [UInt32: Last] = [:]

  /// Without users.
  ///
  /// - Throws: `SystemdError` where the kernel gives no random bytes.
  package init() throws { instance = try ID128.random() }

  /// The last event of that user: the next one has the number behind it.
  package func last(of userID: UInt32) -> Last { byUser[userID] ?? (instance, 0) }

  /// Keeps the last event of a user who is forgotten; a user without events in `instance` needs no place.
  package mutating func keep(_ last: Last, of userID: UInt32) {
    if last.sequence == 0, last.instance.utf8.elementsEqual(instance.utf8) { return }
    if byUser.count >= LastSequences.limit, let other = try? ID128.random() {
      byUser = [:]
      instance = other
    }
    byUser[userID] = last
  }

  /// Forgets the last event of a user who has a ring again.
  package mutating func remove(_ userID: UInt32) { byUser[userID] = nil }
}
