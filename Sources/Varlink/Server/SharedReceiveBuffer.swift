internal import NIOCore

/// One large buffer that all connections of an event loop read into, one after the other.
///
/// A connection's own buffer would cost it its size for as long as it lives, and most connections
/// are idle most of the time. Each gives the buffer back when it has handled what was read.
final class SharedReceiveBuffer: Sendable {
  /// How much is read at most at a time.
  static let capacity = 1 << 16

  private let buffer: NIOLoopBoundBox<ByteBuffer?>

  init(on eventLoop: any EventLoop) {
    buffer = .makeEmptyBox(eventLoop: eventLoop)
  }

  /// The buffer, empty, or another one where it is in use.
  func take(_ allocator: ByteBufferAllocator) -> ByteBuffer {
    let taken = buffer.value
    buffer.value = nil
    return taken ?? allocator.buffer(capacity: Self.capacity)
  }

  /// Gives a buffer back for the next read.
  func giveBack(_ used: consuming ByteBuffer) {
    guard used.capacity >= Self.capacity else { return }
    used.clear()
    buffer.value = used
  }
}

/// Hands a connection the shared buffer for each read.
///
/// SwiftNIO keeps the first buffer of a channel for as long as the channel lives, even where it is
/// told to ask for a new one each time, so that the first one is small.
struct SharedReceiveBufferAllocator: RecvByteBufferAllocator {
  let shared: SharedReceiveBuffer
  private var isFirst = true

  init(shared: SharedReceiveBuffer) {
    self.shared = shared
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    isFirst ? allocator.buffer(capacity: 512) : shared.take(allocator)
  }

  mutating func record(actualReadBytes: Int) -> Bool {
    isFirst = false
    // So that the channel asks for a buffer each time.
    return true
  }
}
