internal import Glibc

/// Who was at the other end when it connected (`SO_PEERCRED`).
public struct PeerCredentials: Sendable, Hashable {
  /// Its process; it may have ended since.
  public var processID: Int32
  /// Its effective user.
  public var userID: UInt32
  /// Its effective group.
  public var groupID: UInt32

  /// Credentials made up, for tests.
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

  /// Those of the process connected to `socket`; `nil` where it is no connected Unix socket.
  init?(socket: CInt) {
    // struct ucred, which Glibc does not hand to Swift: pid, uid and gid, of four bytes each, as
    // here.
    self.init(processID: 0, userID: .max, groupID: .max)
    var size = socklen_t(MemoryLayout<PeerCredentials>.size)
    // Unsafe: C fills no more than the structure has.
    guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0, userID != .max
    else {
      return nil
    }
  }

  /// The supplementary groups of the process connected to `socket` (`SO_PEERGROUPS`).
  static func supplementaryGroups(socket: CInt) -> [UInt32] {
    // <asm-generic/socket.h>; not among the constants that Glibc hands to Swift.
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
      // Where there are more (ERANGE), the kernel says how many.
      let needed = Int(size) / MemoryLayout<gid_t>.stride
      guard result != 0, needed > capacity else { return groups }
      capacity = needed
    }
  }
}
