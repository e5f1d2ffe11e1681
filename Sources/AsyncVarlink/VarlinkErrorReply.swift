public import JSON
internal import Varlink

/// An error that a service answered a call with.
public struct VarlinkErrorReply: Error, Hashable, Sendable {
  /// Its full name: `org.varlink.service.InvalidParameter`.
  public let name: String
  /// Its parameters as JSON text: an object, `{}` where there were none.
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
    // Unsafe: the writer's own bytes, copied before it changes.
    self.parameters = unsafe Array(writer.bytes)
  }

  /// Reads the parameters.
  ///
  /// - Parameter body: gets the object, valid until `body` returns.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withParameters<Result, E: Error>(
    _ body: (JSONValue) throws(E) -> Result
  ) throws(E) -> Result {
    // Unsafe: the value is the bytes, which are lent until `body` returns.
    try unsafe parameters.withUnsafeBufferPointer { (bytes) throws(E) in
      let parser = JSONParser()
      // They have been parsed before.
      let value = try? unsafe parser.parse(UnsafeRawBufferPointer(bytes))
      return try body(value ?? .null)
    }
  }
}

extension ReplyEnvelope {
  /// The reply's parameters, or the error.
  var result: Result<JSONValue, VarlinkErrorReply> {
    guard let error else { return .success(parameters) }
    return .failure(VarlinkErrorReply(name: error, parameters: parameters))
  }
}
