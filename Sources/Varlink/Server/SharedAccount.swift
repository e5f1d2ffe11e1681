internal import Synchronization

/// The one account of all connections that have none of their own; it limits received bytes only.
final class SharedAccount: VarlinkAccount {
  /// How many bytes are charged.
  private let received = Atomic<Int>(0)
  private let receivedLimit: Int

  /// An account with nothing charged.
  ///
  /// - Parameter receivedLimit: how many received bytes may wait to be complete or to be answered.
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
