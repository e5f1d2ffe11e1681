import Glibc

/// A Unix stream socket, used plainly and blocking, so that a test says to the byte what is sent
/// when.
struct RawSocket: ~Copyable {
  struct Failure: Error {
    let call: String
    let systemError: CInt
  }

  let descriptor: CInt

  private init(descriptor: CInt) {
    self.descriptor = descriptor
    // A server that does not answer fails a test, rather than keeping it forever.
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
  }

  // MARK: Making one

  static func connected(to path: String) throws -> RawSocket {
    let made = RawSocket(descriptor: try unixSocket())
    try withAddress(of: path) { address, size in
      guard Glibc.connect(made.descriptor, address, size) == 0 else {
        throw Failure(call: "connect", systemError: errno)
      }
    }
    return made
  }

  static func listening(at path: String) throws -> RawSocket {
    let made = RawSocket(descriptor: try unixSocket())
    try withAddress(of: path) { address, size in
      guard bind(made.descriptor, address, size) == 0, listen(made.descriptor, 16) == 0 else {
        throw Failure(call: "listen", systemError: errno)
      }
    }
    return made
  }

  func accepted() throws -> RawSocket {
    let other = accept(descriptor, nil, nil)
    guard other >= 0 else { throw Failure(call: "accept", systemError: errno) }
    return RawSocket(descriptor: other)
  }

  private static func unixSocket() throws -> CInt {
    let made = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    guard made >= 0 else { throw Failure(call: "socket", systemError: errno) }
    return made
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
  ) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    try withUnsafePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  // MARK: Using it

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard sent > 0 else { throw Failure(call: "send", systemError: errno) }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends each text as a frame, all in one go.
  func send(frames: [String]) throws {
    try send(frames.flatMap { Array($0.utf8) + [0] })
  }

  /// Sends the same bytes again and again, until the socket takes no more.
  ///
  /// - Parameters:
  ///   - bytes: what is sent.
  ///   - offset: how many bytes have been sent before, from whose end on it goes.
  /// - Returns: how many were sent.
  func sendUntilFull(_ bytes: [UInt8], from offset: Int = 0) -> Int {
    var count = 0
    while true {
      let sent = bytes[((offset + count) % bytes.count)...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      }
      guard sent > 0 else { return count }
      count += sent
    }
  }

  /// Sends a byte out of band, which who reads in order never gets.
  func sendOutOfBand(_ byte: UInt8) throws {
    var byte = byte
    guard Glibc.send(descriptor, &byte, 1, CInt(MSG_OOB) | CInt(MSG_NOSIGNAL)) == 1 else {
      throw Failure(call: "send", systemError: errno)
    }
  }

  func endSending() {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// What comes next; empty at the end.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else {
      // Who closes a connection without having read everything resets it.
      if errno == ECONNRESET { return [] }
      throw Failure(call: "recv", systemError: errno)
    }
    return Array(buffer.prefix(count))
  }
}

/// The frames that come over a socket, one after the other.
struct FrameStream: ~Copyable {
  private var pending: [UInt8] = []
  private var next = 0
  private var searched = 0

  /// The next frame; `nil` where the connection ends first.
  mutating func next(from socket: borrowing RawSocket) throws -> String? {
    while true {
      if let end = pending[searched...].firstIndex(of: 0) {
        defer {
          next = end + 1
          searched = next
        }
        return String(decoding: pending[next..<end], as: UTF8.self)
      }
      pending.removeFirst(next)
      next = 0
      searched = pending.count
      let more = try socket.receive()
      guard !more.isEmpty else { return nil }
      pending += more
    }
  }

  /// As many frames as are there until the connection ends.
  mutating func rest(from socket: borrowing RawSocket) throws -> [String] {
    var frames: [String] = []
    while let frame = try next(from: socket) { frames.append(frame) }
    return frames
  }
}
