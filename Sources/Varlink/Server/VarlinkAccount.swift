/// What a peer can make a server hold for it.
public enum VarlinkResource: Hashable, Sendable, CaseIterable {
  /// Connections, one each.
  case connections
  /// Bytes that were received and are not worked off: part of a frame, or calls that wait.
  case received
  /// Bytes of replies and of streams that the client has not taken yet.
  case queued
}

/// Who pays for what a peer makes a server hold: the account of one user.
///
/// Called from every thread that serves the user and from the one that accepts, so that it must
/// lock, or count atomically. It may not call back.
public protocol VarlinkAccount: AnyObject, Sendable {
  /// Takes `amount` more of `resource` from what the user may have.
  ///
  /// - Parameters:
  ///   - amount: connections or bytes, more than zero.
  ///   - resource: of what.
  /// - Returns: `false`, with nothing taken, where there is not that much left.
  func charge(_ amount: Int, of resource: VarlinkResource) -> Bool

  /// Gives back what was taken.
  ///
  /// - Parameters:
  ///   - amount: no more than has been charged and not been released.
  ///   - resource: of what.
  func release(_ amount: Int, of resource: VarlinkResource)
}

/// An amount that stands to a user's account, and is given back when this goes: a release that
/// cannot be forgotten.
///
/// Bytes are charged a block at a time, so that the account is not asked at every read.
public struct VarlinkCharge: ~Copyable {
  /// How much is needed now.
  public private(set) var amount = 0
  /// How much of it stands to the account: `amount`, up to the next whole block.
  private var charged = 0
  private let account: (any VarlinkAccount)?
  private let resource: VarlinkResource
  private let block: Int

  /// A charge of nothing yet.
  ///
  /// - Parameters:
  ///   - account: whose; `nil` where nobody counts.
  ///   - resource: what is charged.
  ///   - block: the amount that is charged at once, 1 or more: 1 for connections.
  public init(to account: (any VarlinkAccount)?, of resource: VarlinkResource, block: Int = 4096) {
    precondition(block > 0, "a block holds something")
    self.account = account
    self.resource = resource
    self.block = block
  }

  deinit {
    if charged > 0 { account?.release(charged, of: resource) }
  }

  /// Has `amount` stand to the account, instead of what stood there before.
  ///
  /// Less can always be had.
  ///
  /// - Parameter amount: zero or more.
  /// - Returns: `false`, with all as before, where the account has not that much left.
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
