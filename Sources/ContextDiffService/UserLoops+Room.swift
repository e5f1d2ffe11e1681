internal import Glibc
internal import Varlink

// Who gives way where there is no account, no descriptor or no memory left for somebody who needs it.

extension UserLoops {
  /// The user's account, a new one where there is none; `nil` where as many users as there may be have one.
  func account(of userID: UInt32) -> Account? {
    quota.account(of: userID, isAdministrator: access.isAdministrator(userID))
  }

  /// An account for a user beyond `limits.users`, in place of that user who holds the least of those not connected.
  ///
  /// Users without a connection must not keep others out: they may all be user IDs of one person (subuid(5)).
  ///
  /// Returns `nil` where as many users as there may be are connected.
  func accountInPlaceOfAnother(of userID: UInt32) -> Account? {
    let away = usersAway
    let users = places.keys.count { !access.isAdministrator($0) }
    guard users - away.count < settings.limits.users else { return nil }
    // One is enough, unless the limit was higher before.
    for other in away {
      forget(other)
      refusals.userForgotten(other, limit: settings.limits.users)
      if let account = account(of: userID) { return account }
    }
    return nil
  }

  /// The users who are not connected, nor have anything to read, and are no administrators, the one of whom least is kept
  /// first.
  private var usersAway: [UInt32] {
    let away = places.values.compactMap { place -> (id: UInt32, bytes: Int)? in
      guard case .parked(let service) = place else { return nil }
      let user = service.user
      // An account with a socket in `unread` would stay, whoever is forgotten.
      guard user.account.held(.connections) == 0, !access.isAdministrator(user.id) else {
        return nil
      }
      return (user.id, user.account.heldBytes)
    }
    return away.sorted { $0.bytes < $1.bytes }.map(\.id)
  }

  /// Forgets the one of whom least is kept of the users who are not connected, since each one's events take a
  /// descriptor, of which none is left.
  ///
  /// - Parameter userID: A user who is not to be forgotten; `nil` where anybody may be.
  /// - Returns: Whether there was one.
  @discardableResult
  package func forgetForDescriptor(besides userID: UInt32? = nil) -> Bool {
    guard let other = usersAway.first(where: { $0 != userID }) else { return false }
    forget(other)
    refusals.userForgotten(other, limit: nil)
    return true
  }

  /// Calls `body` for a user again and again, as long as it lacks a descriptor and another user can be forgotten for it.
  func makingRoom<Made>(
    besides userID: UInt32, _ body: () throws -> Made
  ) throws -> Made {
    while true {
      do { return try body() } catch {
        guard lacksDescriptor(error), forgetForDescriptor(besides: userID) else { throw error }
      }
    }
  }

  private func lacksDescriptor(_ error: any Error) -> Bool {
    if case KeptMemoryError.system(EMFILE) = error { return true }
    return (error as? VarlinkSocketError)?.systemError == EMFILE
  }

  /// Has users give back what they hold beyond their part, because little memory is left.
  func relieve() {
    let (part, accounts) = quota.accountsOverTheirPart
    var isAnyEnding = false
    for account in accounts {
      switch places[account.userID] {
      case .parked(let service): service.shrink(to: part)
      case .running(let running): running.shrink(to: part)
      case .ending: isAnyEnding = true
      case nil: break
      }
    }
    loop.schedule(after: .milliseconds(100)) { [weak self, isAnyEnding] in
      self?.quota.rearmOnShort()
      // Its thread has ended meanwhile, and nobody else may ask for memory.
      if isAnyEnding { self?.quota.reportShortageIfThereIsOne() }
    }
  }
}
