internal import Glibc

/// The process, user and group of a peer at the time when it connected (`SO_PEERCRED`, unix(7)).
public struct PeerCredentials: Sendable, Hashable {
  /// The number of the peer's process, which may have ended since.
  public var processID: Int32
  /// The effective user of that process.
  public var userID: UInt32
  /// The effective group of that process.
  public var groupID: UInt32

  /// Credentials of these numbers, for tests.
  ///
  /// - Parameters:
  ///   - processID: the process.
  ///   - userID: the user.
  ///   - groupID: the group.
  public init(processID: Int32, userID: UInt32, groupID: UInt32) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
  }

  /// The credentials of the process connected to `socket`; `nil` where that is no connected Unix socket.
  init?(socket: CInt) {
    // This is laid out as `struct ucred`, which Swift's Glibc module leaves out: pid, uid and gid, of four bytes each.
    self.init(processID: 0, userID: .max, groupID: .max)
    var size = socklen_t(MemoryLayout<PeerCredentials>.size)
    // Unsafe: C fills no more than the structure's size.
    guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0, userID != .max
    else {
      return nil
    }
  }

  /// The supplementary groups of the process connected to `socket` (`SO_PEERGROUPS`); empty where they cannot be had.
  static func supplementaryGroups(socket: CInt) -> [UInt32] {
    // SO_PEERGROUPS of <asm-generic/socket.h>, which Swift's Glibc module leaves out.
    let peerGroups: CInt = 59
    var capacity = 64
    while true {
      var size = socklen_t(capacity * MemoryLayout<gid_t>.stride)
      var result: CInt = -1
      // Unsafe: C fills no more than there is room for, and says how much.
      let groups = unsafe [gid_t](unsafeUninitializedCapacity: capacity) { buffer, count in
        result = unsafe getsockopt(socket, SOL_SOCKET, peerGroups, buffer.baseAddress, &size)
        count = result == 0 ? Int(size) / MemoryLayout<gid_t>.stride : 0
      }
      // Where there is room for fewer groups than there are (ERANGE), the kernel sets `size` to what they need.
      let needed = Int(size) / MemoryLayout<gid_t>.stride
      guard result != 0, needed > capacity else { return groups }
      capacity = needed
    }
  }
}
