public import NIOCore

extension JSONWriter {
  /// Writes a reply as a frame, its NUL included.
  mutating func reply(continues: Bool, _ parameters: (inout JSONWriter) -> Void) {
    beginFrame()
    if continues { memberBeforeParameters("\"continues\":true,") }
    writeParameters(parameters)
  }

  /// Writes an error reply as a frame, its NUL included.
  mutating func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) {
    beginFrame()
    name("error")
    string(error)
    memberBeforeParameters(",")
    writeParameters(parameters)
  }

  /// Writes a call as a frame, its NUL included.
  mutating func call(
    _ method: String, flag: StaticString? = nil, _ parameters: (inout JSONWriter) -> Void
  ) {
    beginFrame()
    name("method")
    string(method)
    if let flag {
      name(flag)
      bool(true)
    }
    memberBeforeParameters(",")
    writeParameters(parameters)
  }

  private mutating func beginFrame() {
    needsComma = false
    open(UInt8(ascii: "{"))
  }

  private mutating func memberBeforeParameters(_ text: StaticString) {
    needsComma = false
    literal(text)
    needsComma = false
  }

  private mutating func writeParameters(_ parameters: (inout JSONWriter) -> Void) {
    literal("\"parameters\":{")
    needsComma = false
    parameters(&self)
    reserve(3)
    append(UInt8(ascii: "}"))
    append(UInt8(ascii: "}"))
    append(0)
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
  ) -> ByteBuffer {
    writer.removeAll()
    writer.reply(continues: continues, parameters)
    return ByteBuffer(bytes: writer.bytes)
  }
}
