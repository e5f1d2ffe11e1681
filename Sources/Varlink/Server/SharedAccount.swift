internal import Synchronization

/// The account of all connections of a server whose users are not told apart.
final class SharedAccount: VarlinkAccount {
  private let received = Atomic<Int>(0)
  private let receivedLimit: Int

  /// - Parameter receivedLimit: how many bytes may wait to be complete or to be answered.
  init(receivedLimit: Int) { self.receivedLimit = receivedLimit }

  func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
    guard resource == .received else { return true }
    if received.add(amount, ordering: .relaxed).newValue <= receivedLimit { return true }
    received.subtract(amount, ordering: .relaxed)
    return false
  }

  func release(_ amount: Int, of resource: VarlinkResource) {
    guard resource == .received else { return }
    received.subtract(amount, ordering: .relaxed)
  }
}
