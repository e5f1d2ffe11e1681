/// An interface that a server offers, read from its description.
public struct VarlinkInterface: Sendable {
  /// Why a description cannot be served.
  public struct DescriptionError: Error, Hashable, Sendable {
    /// What is wrong, in words for the one who wrote the description.
    public let reason: String
    /// In which line, from 1.
    public let line: Int
  }

  /// Its name: `io.contextdiff`.
  public let name: String
  /// The names of its methods, without the interface's, in the description's order.
  public let methods: [String]
  /// The description, as it was given.
  public let description: String

  /// Reads a description.
  ///
  /// - Parameter description: the interface's definition (Varlink IDL), served verbatim by
  ///   `GetInterfaceDescription`.
  /// - Throws: ``DescriptionError`` where it is not a definition.
  public init(description: String) throws(DescriptionError) {
    var reader = IDLReader(description)
    try reader.readInterface()
    name = reader.name
    methods = reader.methods
    self.description = description
  }
}
