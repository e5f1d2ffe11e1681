/// A member of a call's parameters is missing, of the wrong type, or has a value that it may not have
/// (`org.varlink.service.InvalidParameter`).
public struct InvalidParameter: Error, Hashable, Sendable {
  /// The member's name; where it is nested, the names on the way to it, joined by dots: `old.before`.
  public var parameter: String

  /// The error for a member.
  ///
  /// - Parameter parameter: the member's name, as in ``parameter``.
  public init(_ parameter: String) {
    self.parameter = parameter
  }
}
