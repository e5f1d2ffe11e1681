internal import CLinux
internal import Glibc
internal import Varlink

/// A socket that never waits, with what is still to be sent on it.
struct LoopSocket: ~Copyable {
  /// The longest reply that is taken, in bytes: two snapshots of any size that a daemon takes by
  /// default, with all of their text escaped, and some.
  private static let frameLimit = 64 << 20
  /// How much is read at once, so that nobody who is sent much forgets the rest of its loop.
  private static let readBytes = 64 << 10

  let descriptor: CInt
  private let path: String
  /// Whether it is connected; else who listens had no room for one more caller yet, and what is sent
  /// is kept.
  private(set) var isConnected: Bool
  private var reader = FrameReader()
  private var unsent: [UInt8] = []
  private var sent = 0

  /// A connection to who listens at `path`, which stands once who listens has room.
  init(path: String) throws(LoopClientError) {
    self.path = path
    let descriptor: CInt
    do { descriptor = try UnixSocket.makeUnconnected() } catch { throw .notConnected }
    do {
      isConnected = try UnixSocket.connect(descriptor, to: path)
    } catch {
      close(descriptor)
      throw .notConnected
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Tries once more to connect.
  ///
  /// - Returns: Whether somebody listens still.
  mutating func connect() -> Bool {
    guard let isConnected = try? UnixSocket.connect(descriptor, to: path) else { return false }
    self.isConnected = isConnected
    return true
  }

  /// How many bytes wait until the other side reads.
  var unsentCount: Int { unsent.count - sent }

  /// Sends `bytes`, or keeps what the socket doesn't take now.
  ///
  /// - Returns: Whether the connection stands.
  mutating func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isConnected, unsentCount == 0 else {
      unsent.append(contentsOf: bytes)
      return true
    }
    guard let taken = transmit(bytes) else { return false }
    if taken < bytes.count {
      unsent.append(contentsOf: bytes.dropFirst(taken))
    }
    return true
  }

  /// Sends what was kept, as far as the socket takes it.
  ///
  /// - Returns: Whether the connection stands.
  mutating func flush() -> Bool {
    guard unsentCount > 0 else { return true }
    let start = sent
    guard let taken = unsent.withUnsafeBytes({ transmit(.init(rebasing: $0[start...])) })
    else { return false }
    sent += taken
    if unsentCount == 0 {
      unsent = []
      sent = 0
    }
    return true
  }

  /// How many bytes the socket took; `nil` where it is over.
  private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var taken = 0
    while taken < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
      let count = Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
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
  /// - Returns: Whether the connection stands.
  mutating func receive(_ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var goesOn = true
    let stands = withUnsafeTemporaryAllocation(
      byteCount: LoopSocket.readBytes, alignment: 8
    ) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count == 0 { return false }
      var bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      do {
        while goesOn, let frame = try reader.next(in: &bytes, limit: LoopSocket.frameLimit) {
          goesOn = take(frame)
        }
        if !goesOn { reader.keep(bytes) }
      } catch { return false }
      if !goesOn { reader.keep(bytes) }
      return true
    }
    return stands && goesOn
  }
}
