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

  /// The access that the settings give, with this process's user as the daemon's own.
  ///
  /// Blocks on the look-up of the group's name (getgrnam(3)).
  ///
  /// - Parameters:
  ///   - settings: The settings; an empty `accessGroup` stands for no group.
  ///   - place: Where `accessGroup` was set, for the error.
  /// - Throws: Where the machine has no group of that name.
  package init(_ settings: Settings, groupFrom place: String) throws(SettingsError) {
    var groupID: UInt32?
    if !settings.accessGroup.utf8.isEmpty {
      // Unsafe: the entry is the C library's own, and read before another call.
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
  ///   - userID: The process's user.
  ///   - groupID: The process's group.
  ///   - groups: Gives the process's supplementary groups; called only where neither of the others lets it connect.
  /// - Returns: Whether it may connect.
  package func allows(userID: UInt32, groupID: UInt32, groups: () -> [UInt32]) -> Bool {
    if isAdministrator(userID) { return true }
    guard let required = self.groupID else { return false }
    return groupID == required || groups().contains(required)
  }

  /// Whether that user is root or the daemon's own user, who sees the statistics of all users, may have what is reserved,
  /// and gives way to nobody.
  package func isAdministrator(_ userID: UInt32) -> Bool {
    userID == ownUserID || userID == 0
  }
}
