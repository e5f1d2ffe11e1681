internal import ContextDiffWire
internal import Varlink

/// One connection of a service's user: what it subscribed to, and the session that it last posted to.
final class Client {
  let connection: VarlinkConnection
  /// `nil` until it subscribes.
  var subscriber: Subscriber?
  /// How many events it lost that the journal has not been told of.
  var unloggedLoss = 0
  /// Whether it has lost events since it last read.
  var isLate = false
  /// The session that it last posted to, which the next post mostly names, too.
  var lastSession: LiveSession?

  /// What the user is charged with for the subscription, and for the names in its filter; nothing until it subscribes.
  private var subscriberCharge: Charge
  private var filterCharge: Charge

  init(connection: VarlinkConnection, account: Account) {
    self.connection = connection
    subscriberCharge = account.charge(.subscribers)
    filterCharge = account.charge(.filters)
  }

  /// Charges its user with a subscription whose filter takes `filterBytes`; charges nothing where it throws.
  ///
  /// `limit` is the most subscribers of the user, for the error.
  func charge(forSubscriptionWith filterBytes: Int, limit: Int) throws(CallError) {
    guard filterCharge.resize(to: filterBytes) else {
      throw .parameters(
        .mustBe(
          "fewer names: its user's filters hold all that limits.totalBytes leaves them",
          "sessions"))
    }
    guard subscriberCharge.resize(to: 1) else {
      // A charge can always be made smaller.
      _ = filterCharge.resize(to: 0)
      throw .tooManySubscribers(limit: limit)
    }
  }
}
