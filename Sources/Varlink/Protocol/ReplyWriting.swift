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

  /// How many bytes the call has that the writer holds alone, its NUL not counted, as a service counts them.
  package var callLength: Int { byteCount - 1 }

  /// Closes the parameters and the frame's object, and ends the frame with its NUL.
  private mutating func endFrame() {
    fragment("}}\0")
    needsComma = false
  }
}

/// Encodes the frames of a stream, for ``VarlinkConnection/send(frame:)``.
///
/// One frame can be sent on any number of connections. The encoder reuses its memory; each frame costs one allocation.
public struct VarlinkFrameEncoder: ~Copyable {
  private var writer = JSONWriter(capacity: 1024)

  /// An encoder, with memory of its own.
  public init() {}

  /// Encodes a reply.
  ///
  /// - Parameters:
  ///   - continues: whether more replies follow.
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
