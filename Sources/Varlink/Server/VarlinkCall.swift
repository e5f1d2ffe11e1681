public import JSON

/// A call that a handler is to answer; it and its parameters are valid only until `handle` returns.
public struct VarlinkCall {
  /// The place of the method's interface among the server's interfaces.
  public let interface: Int
  /// The method's place among its interface's `methods`.
  public let method: Int
  /// The call's parameters: an object, or null where the call has none.
  public let parameters: JSONValue
  /// Whether the client takes more than one reply (`more`).
  public let wantsMore: Bool
  /// Whether the client takes no reply (`oneway`).
  public let isOneway: Bool
}
