internal import CLinux
internal import ContextDiffWire
internal import Glibc
internal import Varlink

/// A socket that never waits, with what is still to be sent on it.
struct LoopSocket: ~Copyable {
  /// How much is read at once, so that nobody who is sent much forgets the rest of its loop.
  private static let readBytes = 64 << 10

  let descriptor: CInt
  private let path: String
  /// Whether it is connected; else who listens had no room for one more caller yet, and what is sent
  /// is kept.
  private(set) var isConnected: Bool
  private let reader = FrameReader()
  /// What waits until the other side reads.
  private let unsent = WipedBytes()

  /// A connection to who listens at `path`, which stands once who listens has room.
  init(path: String) throws(LoopClientError) {
    self.path = path
    let descriptor: CInt
    do { descriptor = try UnixSocket.makeUnconnected() } catch {
      throw .unreachable(path, because: error.description)
    }
    do {
      isConnected = try UnixSocket.connect(descriptor, to: path)
    } catch {
      close(descriptor)
      throw .unreachable(path, because: error.description)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Tries once more to connect.
  ///
  /// - Throws: `unreachable` where nobody listens any more.
  mutating func connect() throws(LoopClientError) {
    do { isConnected = try UnixSocket.connect(descriptor, to: path) } catch {
      throw .unreachable(path, because: error.description)
    }
  }

  /// How many bytes wait until the other side reads.
  var unsentCount: Int { unsent.count }

  /// Sends `bytes`, or keeps what the socket doesn't take now.
  ///
  /// - Returns: Whether the connection stands.
  mutating func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isConnected, unsent.isEmpty else {
      // Unsafe: copied at once.
      unsafe unsent.append(bytes)
      return true
    }
    // Unsafe: sent, or what is left of it copied, at once.
    guard let taken = unsafe transmit(bytes) else { return false }
    unsafe unsent.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    return true
  }

  /// Sends what was kept, as far as the socket takes it.
  ///
  /// - Returns: Whether the connection stands.
  mutating func flush() -> Bool {
    // Unsafe: sent before anything changes what waits.
    guard let taken = unsafe transmit(unsent.bytes) else { return false }
    unsent.removeFirst(taken)
    return true
  }

  /// How many bytes the socket took; `nil` where it is over.
  private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var taken = 0
    while taken < bytes.count {
      // Unsafe: C reads no more than what is left.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[taken...])
      let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
      if count >= 0 {
        taken += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return nil
      }
    }
    return taken
  }

  /// Reads once, and hands out the frames that this completes.
  ///
  /// - Parameter take: Gets a frame, valid until it returns; whether to go on.
  /// - Returns: What was there.
  mutating func receive(_ take: (UnsafeRawBufferPointer) -> Bool) -> Received {
    var goesOn = true
    // Unsafe: C fills no more than the buffer has; a frame is read before the next one is.
    let received = unsafe withUnsafeTemporaryAllocation(
      byteCount: LoopSocket.readBytes, alignment: 8
    ) { buffer -> Received in
      let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
      if count == 0 { return .end }
      var bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      do {
        while goesOn, let frame = unsafe try reader.next(in: &bytes, limit: Interface.replyLimit) {
          goesOn = unsafe take(frame)
        }
      } catch { return .end }
      return .bytes
    }
    return goesOn ? received : .end
  }

  /// What a look for more came upon.
  enum Received {
    case bytes
    case nothing
    /// The connection does not stand, or is not to.
    case end
  }
}
