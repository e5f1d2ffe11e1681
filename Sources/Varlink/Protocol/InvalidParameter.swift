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

  /// The same error, seen from the object that holds the value as `member`.
  ///
  /// - Parameter member: the name of the member that the object at fault is; alone where the
  ///   object itself is of the wrong type, and so has no name yet.
  /// - Returns: the error with the longer name.
  public func within(_ member: String) -> InvalidParameter {
    InvalidParameter(parameter.utf8.isEmpty ? member : "\(member).\(parameter)")
  }
}
