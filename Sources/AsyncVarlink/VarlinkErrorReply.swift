public import JSON
internal import Varlink

/// An error by which a service answered a call.
public struct VarlinkErrorReply: Error, Hashable, Sendable {
  /// The error's full name: `org.varlink.service.InvalidParameter`.
  public let name: String
  /// The error's parameters, an object as JSON text; `{}` where the reply had none.
  public let parameters: [UInt8]

  init(name: String, parameters: JSONValue) {
    self.name = name
    var writer = JSONWriter(capacity: 128)
    if parameters.isObject {
      writer.value(parameters)
    } else {
      writer.beginObject()
      writer.endObject()
    }
    // Unsafe: the writer's bytes are copied at once.
    self.parameters = unsafe Array(writer.bytes)
  }

  /// Parses the parameters.
  ///
  /// - Parameter body: gets the object, valid until `body` returns.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withParameters<Result, E: Error>(
    _ body: (JSONValue) throws(E) -> Result
  ) throws(E) -> Result {
    // Unsafe: the bytes are lent until `body` returns.
    try unsafe parameters.withUnsafeBufferPointer { (bytes) throws(E) in
      let parser = JSONParser()
      // Parsing cannot fail: the bytes are those of a value that was parsed before.
      let value = try? unsafe parser.parse(UnsafeRawBufferPointer(bytes))
      return try body(value ?? .null)
    }
  }
}

extension ReplyEnvelope {
  /// The parameters of an answer, or the error that the reply is.
  var result: Result<JSONValue, VarlinkErrorReply> {
    guard let error else { return .success(parameters) }
    return .failure(VarlinkErrorReply(name: error, parameters: parameters))
  }
}
