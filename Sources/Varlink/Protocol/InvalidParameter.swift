/// A member of a call's parameters that is missing, of the wrong type or not a value it may have
/// (`org.varlink.service.InvalidParameter`).
public struct InvalidParameter: Error, Hashable, Sendable {
  /// Its name; dotted where it is nested: `old.before`.
  public var parameter: String

  /// The error for the member of that name.
  ///
  /// - Parameter parameter: its name.
  public init(_ parameter: String) {
    self.parameter = parameter
  }
}
