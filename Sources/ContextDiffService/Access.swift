internal import Glibc

/// Who may connect: root, the daemon's own user, and the members of a group where one is set.
package struct Access: Sendable {
  /// The daemon's own user.
  package let ownUserID: UInt32
  /// The group whose members may connect too.
  package let groupID: UInt32?

  /// Access for `ownUserID`, root and the members of `groupID`.
  package init(ownUserID: UInt32, groupID: UInt32? = nil) {
    self.ownUserID = ownUserID
    self.groupID = groupID
  }

  /// The access that settings ask for, for this process.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - place: Where their group stands.
  /// - Throws: Where the machine has no such group.
  package init(_ settings: Settings, groupFrom place: String) throws(SettingsError) {
    var groupID: UInt32?
    if !settings.accessGroup.utf8.isEmpty {
      // Unsafe: the C library's own entry, read at once.
      guard let group = unsafe getgrnam(settings.accessGroup) else {
        throw SettingsError(
          place, "accessGroup: there is no group \(settings.accessGroup)")
      }
      groupID = unsafe group.pointee.gr_gid
    }
    self.init(ownUserID: geteuid(), groupID: groupID)
  }

  /// Whether a process of that user and these groups may connect.
  ///
  /// - Parameters:
  ///   - userID: Its user.
  ///   - groupID: Its group.
  ///   - groups: Its supplementary groups; asked for only where they matter.
  /// - Returns: Whether it may.
  package func allows(userID: UInt32, groupID: UInt32, groups: () -> [UInt32]) -> Bool {
    if userID == ownUserID || userID == 0 { return true }
    guard let required = self.groupID else { return false }
    return groupID == required || groups().contains(required)
  }

  /// Whether that user sees the statistics of all.
  package func isAdministrator(_ userID: UInt32) -> Bool {
    userID == ownUserID || userID == 0
  }
}
