internal import Glibc

/// The socket of a client that has been accepted, on its way to the loop that is to serve it.
///
/// The socket is closed when this is released. One thread at a time may use it; it may go from one thread to another.
///
/// `@unchecked`: what hands it to another thread (``EpollLoop/Submitter``) locks, which orders one thread's use before
/// the other's.
public final class AcceptedSocket: @unchecked Sendable {
  /// The client's process and user.
  public let peer: PeerCredentials
  /// The account that is charged with what the connection holds; `nil` until ``charge(to:)``.
  public private(set) var account: (any VarlinkAccount)?
  /// The socket's descriptor; -1 once it is closed.
  private(set) var descriptor: CInt
  /// What the account is charged with; `nil` before that, and once the socket is closed.
  private var charge: VarlinkCharge?

  /// The socket of `descriptor`, which this owns from now on.
  package init(descriptor: CInt, peer: PeerCredentials) {
    self.descriptor = descriptor
    self.peer = peer
  }

  deinit { close() }

  /// The supplementary groups of the process that connected (`SO_PEERGROUPS`).
  ///
  /// Each access is a system call; empty where that fails.
  public var supplementaryGroups: [UInt32] {
    PeerCredentials.supplementaryGroups(socket: descriptor)
  }

  /// Charges an account with the connection until it is closed, and with what the connection will hold.
  ///
  /// - Parameter account: the account of the client's user.
  /// - Returns: `false`, with nothing charged, where the account has no connection left.
  public func charge(to account: any VarlinkAccount) -> Bool {
    var charge = VarlinkCharge(to: account, of: .connections, block: 1)
    guard charge.set(1) else { return false }
    self.charge = consume charge
    self.account = account
    return true
  }

  /// Receives nothing more from the client.
  ///
  /// - Returns: whether there are bytes that nobody has read, so that closing may take a while.
  package func endReading() -> Bool {
    shutdown(descriptor, CInt(SHUT_RD))
    return UnixSocket.unreadByteCount(descriptor) > 0
  }

  /// Whether the client has not read all that it was sent: the kernel keeps that as memory of this process, even once
  /// the socket is closed, until the client reads it or closes its own end.
  package var hasUnread: Bool { UnixSocket.unsentByteCount(descriptor) > 0 }

  /// Ends the connection for the client, as closing does, but stays open.
  ///
  /// - Parameter buffer: gets what the client has sent and nobody has read, piece by piece, so that closing takes no
  ///   while; the last piece stays there.
  func leaveOpen(readingInto buffer: UnsafeMutableRawBufferPointer) {
    shutdown(descriptor, CInt(SHUT_RDWR))
    // Unsafe: C fills no more than the buffer has room for.
    while unsafe recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)) > 0 {}
  }

  /// Closes the socket, for a thread on which nothing else waits: where the kernel cannot refuse descriptors, an
  /// `Interrupter` limits how long each of the client's sockets may linger.
  package func closeAside() {
    let interrupter = UnixSocket.canRefuseDescriptors ? nil : Interrupter()
    interrupter?.begin()
    close()
  }

  /// Closes the socket, unless it is closed already.
  ///
  /// Takes a while where the client has sent much that nobody has read, for the kernel frees that.
  package func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
    charge = nil
  }
}
