internal import Varlink

/// One connection, with whose it is and what it subscribed to.
final class Client {
  let connection: VarlinkConnection
  let user: User
  var subscriber: Subscriber?
  /// The session last posted to: mostly the next one's too.
  var lastSession: LiveSession?

  init(connection: VarlinkConnection, user: User) {
    self.connection = connection
    self.user = user
  }
}
