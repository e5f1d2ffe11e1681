/// The `MESSAGE_ID`s of the sorts of journal entry, each of which systemd/contextdiffd.catalog explains.
///
/// Each id was made by `systemd-id128 new` and never changes: administrators filter by it. A new
/// sort gets a new id and an entry in both languages of the catalog; a test keeps the two in step.
package enum MessageID: String, CaseIterable, Sendable {
  /// A pair was posted and classified.
  case transition = "8350882fe94a4f39b0d6480df890cf49"
  /// Transitions of one session were left out beyond the rate limit; how many of each kind.
  case transitionsSummed = "f8829ff37bfa49d5b9f5c95f1508a4ed"
  /// Entries caused by a user's clients, or by refused connections, were left out beyond the rate limit; how many.
  case entriesLeftOut = "7d6128281fc44497a92cb8a6d3fdc440"
  /// A client connected.
  case clientConnected = "851da9a78a5246378338ecdea6efd411"
  /// A client's connection ended.
  case clientGone = "ec4ebb9b303844098559eb62cdfb91c9"
  /// A connection was closed before a call of it was read, because of its user or of a limit.
  case connectionRefused = "f5e8879e86534552892b52276a16a67f"
  /// A call was answered with an error because a limit was reached.
  case limitReached = "d4600218ff8743edb0ec0d433fbee77f"
  /// A call was answered with an error because of a parameter.
  case callRefused = "6bdd2c08c349437088e73f0ef83d5b1a"
  /// Sessions, or all that is kept of a user, were forgotten: for want of memory or descriptors, or at a limit.
  case sessionForgotten = "0de401ac63bb443b8698ba49173765c2"
  /// A subscriber's backlog was full, and it began to lose events.
  case slowSubscriber = "32b2d8c0bc8d4aa18b106d92b9b2db13"
  /// A connection was closed because of what it sent, or of how much it did not read (`FrameRejection`).
  case badFrame = "6461accb18eb4ba1ba5ca1b209f63eef"
  /// Clients cannot be accepted for want of descriptors or memory, or can be again.
  case clientsWait = "8b9178a4caac4a0689764160d8d32cbc"
  /// The process may have fewer descriptors than `limits.connections` needs, which was lowered.
  case connectionsBounded = "bf3fc89a58834eb280500059ed276324"
  /// The service manager's store has no room for the events of as many users as `limits.users`, which was lowered.
  case usersBounded = "c4fae2a30b9e4c99a1309d73775f2239"
  /// A socket's file is gone, and the socket was made anew or cannot be yet.
  case socketGone = "df2a83a2c17e48ccb316b9f30ebec057"
  /// A socket's file cannot be given to the group of the new settings.
  case socketNotGiven = "28e9db7f017c402c8006321813ec4a1a"
  /// The service manager takes no messages, or takes them again.
  case managerBusy = "ca696e23f81a4ca1a12cea8c0c5d6bbf"
  /// The settings were reloaded.
  case settingsReloaded = "9172894df7c94141b1e9fcdeeccd6d8e"
  /// The settings could not be reloaded; the old ones hold.
  case settingsRejected = "e6431b204c594a849cb34f6aaddad46f"
  /// The settings could not be used at the start: the daemon ended.
  case settingsUnusable = "a0e90ed8b2da4da9941f6e926639f5dd"
  /// The daemon does not start, for another reason than its settings.
  case notStarted = "bcbce360b5034176a421cc4b96dcf285"
  /// Variables of the environment look like settings, and are none.
  case variablesUnknown = "eb97ce6d01fb432983aa18f26d37271b"
  /// The daemon has started.
  case started = "9d44e10162da4665b85f71fc69c1e304"
  /// The daemon is stopping.
  case stopping = "384b08129a0b498388d1f1af24de7995"
  /// Kept events or sessions of the process before could not be taken over: damaged, of another version, or for want of
  /// memory.
  case storeDamaged = "2b729ff56b4c41828bc7e683b7969e33"
  /// At a stop, there was no room for sessions in what is handed over to the next process.
  case sessionsNotHandedOver = "87335d48ef8e44e7830a229b8a551956"
  /// Log entries were dropped because too many came at once.
  case entriesDropped = "3bd40ed130424810998f2330733395f5"
}
