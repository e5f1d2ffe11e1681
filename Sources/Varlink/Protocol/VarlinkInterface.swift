/// An interface that a server offers, read from its description.
public struct VarlinkInterface: Sendable {
  /// Why a description cannot be served.
  public struct DescriptionError: Error, Hashable, Sendable {
    /// What is wrong, in words for the author of the description.
    public let reason: String
    /// The number of the line that is wrong, from 1.
    public let line: Int
  }

  /// The interface's name: `io.contextdiff`.
  public let name: String
  /// The methods' names, without the interface's, in the description's order.
  public let methods: [String]
  /// The description, as it was given to the initialiser.
  public let description: String

  /// Reads a description.
  ///
  /// - Parameter description: the interface's definition (Varlink IDL), served verbatim by
  ///   `GetInterfaceDescription`.
  /// - Throws: ``DescriptionError`` where `description` is not a definition by Varlink's grammar.
  public init(description: String) throws(DescriptionError) {
    var reader = IDLReader(description)
    try reader.readInterface()
    name = reader.name
    methods = reader.methods
    self.description = description
  }
}
