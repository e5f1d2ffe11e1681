public import JSON

extension JSONWriter {
  /// Writes a reply as a frame, its NUL included.
  mutating func reply(continues: Bool, _ parameters: (inout JSONWriter) -> Void) {
    if continues {
      fragment(#"{"continues":true,"parameters":{"#)
    } else {
      fragment(#"{"parameters":{"#)
    }
    parameters(&self)
    endFrame()
  }

  /// Writes an error reply as a frame, its NUL included.
  mutating func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) {
    fragment(#"{"error":"#)
    string(error)
    fragment(#","parameters":{"#)
    parameters(&self)
    endFrame()
  }

  /// Writes a call as a frame, its NUL included.
  package mutating func call(
    _ method: String, flag: StaticString? = nil, _ parameters: (inout JSONWriter) -> Void
  ) {
    fragment(#"{"method":"#)
    string(method)
    if let flag {
      name(flag)
      bool(true)
    }
    fragment(#","parameters":{"#)
    parameters(&self)
    endFrame()
  }

  private mutating func endFrame() {
    fragment("}}\0")
    needsComma = false
  }
}

/// Encodes frames that are not the answer to the call at hand: those of a stream.
///
/// One frame can be sent on any number of connections. The encoder's memory is reused; a frame
/// costs one allocation.
public struct VarlinkFrameEncoder: ~Copyable {
  private var writer = JSONWriter(capacity: 1024)

  /// An encoder.
  public init() {}

  /// Encodes a reply.
  ///
  /// - Parameters:
  ///   - continues: whether more follow.
  ///   - parameters: writes the members of the reply's parameters.
  /// - Returns: the frame, its NUL included.
  public mutating func reply(
    continues: Bool, _ parameters: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    writer.removeAll()
    writer.reply(continues: continues, parameters)
    // Unsafe: copied at once.
    return unsafe [UInt8](writer.bytes)
  }
}
