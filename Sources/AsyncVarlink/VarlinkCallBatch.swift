internal import NIOCore
public import JSON
internal import Varlink

/// Calls that are sent in one go and answered in order: what a client uses that has many.
public struct VarlinkCallBatch: ~Copyable {
  private var writer = JSONWriter()
  /// How many calls it holds.
  public private(set) var count = 0

  /// An empty batch.
  public init() {}

  /// Adds a call.
  ///
  /// - Parameters:
  ///   - method: its full name.
  ///   - parameters: writes the members of the parameters' object.
  public mutating func append(_ method: String, _ parameters: (inout JSONWriter) -> Void) {
    writer.call(method, parameters)
    count += 1
  }

  /// Forgets the calls; the memory stays.
  public mutating func removeAll() {
    writer.removeAll()
    count = 0
  }

  var frames: ByteBuffer {
    // Unsafe: the writer's own bytes, copied before it changes.
    unsafe ByteBuffer(bytes: writer.bytes)
  }
}
