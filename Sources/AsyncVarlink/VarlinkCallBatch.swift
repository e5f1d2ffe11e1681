internal import NIOCore
public import JSON
internal import Varlink

/// Calls that are sent in one write and answered in order, for clients that have many.
public struct VarlinkCallBatch: ~Copyable {
  private var writer = JSONWriter()
  /// How many calls the batch holds.
  public private(set) var count = 0

  /// An empty batch.
  public init() {}

  /// Adds a call.
  ///
  /// - Parameters:
  ///   - method: the method's full name.
  ///   - parameters: writes the members of the parameters' object.
  public mutating func append(_ method: String, _ parameters: (inout JSONWriter) -> Void) {
    writer.call(method, parameters)
    count += 1
  }

  /// Removes all calls; the memory stays for further ones, up to 64 KiB.
  public mutating func removeAll() {
    writer.removeAll()
    count = 0
  }

  /// A copy of the calls' frames.
  var frames: ByteBuffer {
    // Unsafe: the writer's bytes are copied at once.
    unsafe ByteBuffer(bytes: writer.bytes)
  }
}
