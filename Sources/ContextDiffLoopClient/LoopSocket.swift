internal import ContextDiffWire
internal import Glibc
internal import Varlink

/// A connection to the daemon whose calls never wait, with the bytes that are still to be sent on it.
struct LoopSocket: ~Copyable {
  /// How many bytes are read at a time, so that reading does not hold up the program's loop.
  static let readBytes = 64 << 10

  let descriptor: CInt
  private let path: String
  /// Whether the socket is connected; while the daemon's accept queue is full it is not, and bytes are kept.
  private(set) var isConnected: Bool
  private let reader = FrameReader()
  /// The bytes that the socket has not taken yet.
  private let unsent = WipedBytes()

  /// Begins to connect to the daemon that listens at `path`: where its accept queue is full, `connect` is to try again.
  ///
  /// - Throws: `unreachable` where no daemon listens there, or the process has no descriptor left.
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

  /// Only closes: where a child of fork(2) has the socket too, the connection goes on.
  deinit { close(descriptor) }

  /// Ends the connection for all processes that have the socket.
  func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Tries again to connect.
  ///
  /// - Throws: `unreachable` where no daemon listens any more.
  mutating func connect() throws(LoopClientError) {
    do { isConnected = try UnixSocket.connect(descriptor, to: path) } catch {
      throw .unreachable(path, because: error.description)
    }
  }

  /// How many bytes the socket has not taken yet.
  var unsentCount: Int { unsent.count }

  /// Sends `bytes`, and keeps those that the socket does not take now.
  ///
  /// - Returns: `false` where the connection has ended.
  mutating func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isConnected, unsent.isEmpty else {
      // Unsafe: copied at once.
      unsafe unsent.append(bytes)
      return true
    }
    // Unsafe: sent or copied at once.
    guard let taken = unsafe transmit(bytes) else { return false }
    unsafe unsent.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    return true
  }

  /// Sends kept bytes, as many as the socket takes now.
  ///
  /// - Returns: `false` where the connection has ended.
  mutating func flush() -> Bool {
    // Unsafe: sent before the kept bytes change.
    guard let taken = unsafe transmit(unsent.bytes) else { return false }
    unsent.removeFirst(taken)
    return true
  }

  /// Sends as many of `bytes` as the socket takes, and returns how many; `nil` where the connection has ended.
  private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var taken = 0
    while taken < bytes.count {
      // Unsafe: C reads no more bytes than are left.
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

  /// Reads once, and calls `take` with each frame that is complete then.
  ///
  /// - Parameter take: gets a frame, valid until it returns; returns `false` to end the connection.
  /// - Returns: what was read.
  mutating func receive(_ take: (UnsafeRawBufferPointer) -> Bool) -> Received {
    var goesOn = true
    // Unsafe: C fills no more than the buffer has room for; a frame is used before the next one is read.
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
      } catch { return .tooLong }
      return .bytes
    }
    return goesOn ? received : .end
  }

  /// What `receive` has read.
  enum Received {
    case bytes
    /// No bytes have come yet.
    case nothing
    /// The connection has ended, or `take` ended it; the caller is to close it.
    case end
    /// A frame is longer than `Interface.replyLimit`; the caller is to close the connection.
    case tooLong
  }
}
