internal import Glibc

/// A client that has been accepted, on its way to the loop that is to serve it.
///
/// Whoever lets go of it unserved closes it. It goes from one thread to another, and is used by one
/// at a time.
///
/// `@unchecked`: what hands it over (``EpollLoop/Submitter``) locks, which orders one thread's use
/// before the other's.
public final class AcceptedSocket: @unchecked Sendable {
  /// Who is at the other end.
  public let peer: PeerCredentials
  /// Whose account pays for what the connection holds; `nil` until it is charged.
  public private(set) var account: (any VarlinkAccount)?
  /// -1 once it is closed.
  private(set) var descriptor: CInt
  private var charge = VarlinkCharge(to: nil, of: .connections, block: 1)

  /// A client at the other end of a descriptor, which it owns from now on.
  package init(descriptor: CInt, peer: PeerCredentials) {
    self.descriptor = descriptor
    self.peer = peer
  }

  deinit { close() }

  /// The supplementary groups of the process that connected (`SO_PEERGROUPS`).
  ///
  /// Asks the kernel each time.
  public var supplementaryGroups: [UInt32] {
    PeerCredentials.supplementaryGroups(socket: descriptor)
  }

  /// Has the connection, and what it will hold, stand to an account until it is closed.
  ///
  /// - Parameter account: the user's.
  /// - Returns: `false` where the account has no connection left.
  public func charge(to account: any VarlinkAccount) -> Bool {
    var charge = VarlinkCharge(to: account, of: .connections, block: 1)
    guard charge.set(1) else { return false }
    self.charge = charge
    self.account = account
    return true
  }

  /// Takes nothing more from the client.
  ///
  /// - Returns: whether it has sent what nobody has read, with which closing may take a while.
  package func endReading() -> Bool {
    shutdown(descriptor, CInt(SHUT_RD))
    return UnixSocket.unreadByteCount(descriptor) > 0
  }

  /// Closes it on a thread that nobody waits for, and that waits for nobody long.
  package func closeAside() {
    let interrupter = UnixSocket.canRefuseDescriptors ? nil : Interrupter()
    interrupter?.begin()
    close()
  }

  /// Closes it; once is enough.
  ///
  /// Takes a while where its client has sent much that nobody has read: the kernel frees that.
  package func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
    charge = VarlinkCharge(to: nil, of: .connections, block: 1)
  }
}
