/// What a client can make a server hold for it.
public enum VarlinkResource: Hashable, Sendable, CaseIterable {
  /// Open connections; the amount is their number.
  case connections
  /// Memory for what was received and is not answered: part of a frame, or calls that wait; the amount is in bytes.
  case received
  /// Memory for replies and streams that the client has not taken yet; the amount is in bytes.
  case queued
}

/// Limits what one user's clients can make a server hold, by counting it.
///
/// It is called on every thread that serves the user, and on the one that accepts clients: it must lock, or count
/// atomically. It may not call the server.
public protocol VarlinkAccount: AnyObject, Sendable {
  /// Adds `amount` to what the user has of `resource`.
  ///
  /// - Parameters:
  ///   - amount: connections or bytes, more than zero.
  ///   - resource: which of them.
  /// - Returns: `false`, with nothing added, where the user would have more than allowed.
  func charge(_ amount: Int, of resource: VarlinkResource) -> Bool

  /// Subtracts `amount` from what the user has of `resource`.
  ///
  /// - Parameters:
  ///   - amount: connections or bytes, no more than were charged and not released since.
  ///   - resource: which of them.
  func release(_ amount: Int, of resource: VarlinkResource)
}

/// An amount charged to a user's account, which is released when this value goes out of scope.
///
/// Bytes are charged in whole blocks, so that the account is not called for each read. What a service holds besides
/// connections is not a `VarlinkResource`, and the service's own to charge.
public struct VarlinkCharge: ~Copyable {
  /// The amount that is needed now.
  public private(set) var amount = 0
  /// The amount that is charged: `amount`, rounded up to whole blocks.
  private var charged = 0
  private let account: (any VarlinkAccount)?
  private let resource: VarlinkResource
  private let block: Int

  /// A charge of zero.
  ///
  /// - Parameters:
  ///   - account: the user's account; `nil` where nothing is counted, and every amount is allowed.
  ///   - resource: what is charged.
  ///   - block: the size of a block, at least 1: bytes, or 1 for connections.
  public init(to account: (any VarlinkAccount)?, of resource: VarlinkResource, block: Int = 4096) {
    precondition(block > 0, "a block holds something")
    self.account = account
    self.resource = resource
    self.block = block
  }

  deinit {
    if charged > 0 { account?.release(charged, of: resource) }
  }

  /// Charges `amount` instead of the amount before.
  ///
  /// - Parameter amount: zero or more.
  /// - Returns: `false`, with nothing changed, where the account does not allow it; a smaller amount than before is
  ///   always allowed.
  public mutating func set(_ amount: Int) -> Bool {
    let wanted = (amount + block - 1) / block * block
    if wanted > charged {
      guard account?.charge(wanted - charged, of: resource) ?? true else { return false }
    } else if wanted < charged {
      account?.release(charged - wanted, of: resource)
    }
    charged = wanted
    self.amount = amount
    return true
  }
}
