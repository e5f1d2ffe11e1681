internal import Varlink

/// One connection, with whose it is and what it subscribed to.
final class Client {
  let connection: VarlinkConnection
  let user: User
  var subscriber: Subscriber?
  /// Whether it is in the list of those that have something to hear at the end of this turn.
  var isListed = false

  init(connection: VarlinkConnection, user: User) {
    self.connection = connection
    self.user = user
  }
}
