internal import ContextDiffWire
internal import Varlink

/// One connection, with whose it is and what it subscribed to.
final class Client {
  let connection: VarlinkConnection
  let user: User
  var subscriber: Subscriber?
  /// How many events it lost of which the journal does not know.
  var unloggedLoss = 0
  /// Whether it has lost any since it read last.
  var isLate = false
  /// The session last posted to: mostly the next one's too.
  var lastSession: LiveSession?

  /// What the user is charged with for the subscription.
  private var subscriberCharge: Charge
  private var filterCharge: Charge

  init(connection: VarlinkConnection, user: User) {
    self.connection = connection
    self.user = user
    subscriberCharge = user.account.charge(.subscribers)
    filterCharge = user.account.charge(.filters)
  }

  /// Charges its user with a subscription whose filter takes so many bytes.
  func charge(forSubscriptionWith filterBytes: Int, limit: Int) throws(CallError) {
    guard filterCharge.resize(to: filterBytes) else {
      throw .parameters(
        .mustBe(
          "fewer names: its user's filters hold all that limits.totalBytes leaves them",
          "sessions"))
    }
    guard subscriberCharge.resize(to: 1) else {
      // Less can always be had.
      _ = filterCharge.resize(to: 0)
      throw .tooManySubscribers(limit: limit)
    }
  }
}
