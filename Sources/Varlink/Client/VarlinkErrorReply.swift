/// An error that a service answered a call with.
public struct VarlinkErrorReply: Error, Hashable, Sendable {
  /// Its full name: `org.varlink.service.InvalidParameter`.
  public let name: String
  /// Its parameters as JSON text: an object, `{}` where there were none.
  public let parameters: [UInt8]

  package init(name: String, parameters: [UInt8]) {
    self.name = name
    self.parameters = parameters
  }

  /// Reads the parameters.
  ///
  /// - Parameter body: gets the object, valid until `body` returns.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withParameters<Result, E: Error>(
    _ body: (JSONValue) throws(E) -> Result
  ) throws(E) -> Result {
    fatalError()
  }
}
