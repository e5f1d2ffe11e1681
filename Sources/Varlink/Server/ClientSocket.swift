internal import CLinux
internal import Glibc

/// The server's end of a connection: what the client does not take at once waits here.
struct ClientSocket {
  /// Bytes that wait, and how many of them have been sent.
  private struct Waiting {
    let bytes: [UInt8]
    var sent: Int
  }

  private let accepted: AcceptedSocket
  let descriptor: CInt
  private let loop: EpollLoop
  private var queue: [Waiting] = []
  private var waitingBytes = 0
  /// Where more waits, the socket is full, until less than half as much does.
  var highWater: Int {
    didSet { updateFullness() }
  }
  /// Whether more waits than the client should have waiting.
  private(set) var isFull = false
  /// Whether nobody reads what is sent any more, so that it is dropped.
  private(set) var hasLostReader = false
  /// Whether the loop tells when something can be read.
  var isReading = true {
    didSet { if isReading != oldValue { updateEvents() } }
  }
  private var watched = EpollLoop.Events.readable

  init(accepted: AcceptedSocket, loop: EpollLoop, highWater: Int) {
    self.accepted = accepted
    descriptor = accepted.descriptor
    self.loop = loop
    self.highWater = highWater
  }

  /// Has the loop tell what the socket is ready for, until it is closed.
  func watch(_ ready: @escaping (EpollLoop.Events) -> Void) throws(VarlinkSocketError) {
    try loop.watch(descriptor, for: watched, ready)
  }

  func close() {
    loop.unwatch(descriptor)
    accepted.close()
  }

  /// Whether all that was to be sent is.
  var isEmpty: Bool { queue.isEmpty }

  // MARK: Reading

  enum Read {
    case bytes(UnsafeRawBufferPointer)
    /// There are none for now.
    case nothing
    /// The client has ended its side, or is gone.
    case end
  }

  /// Reads what has come, as far as `buffer` goes.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    if count > 0 { return .bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  // MARK: Sending

  /// Sends bytes: what the client does not take now waits, copied.
  mutating func send(copying bytes: UnsafeRawBufferPointer) {
    let sent = sendNow(bytes)
    if sent < bytes.count { wait([UInt8](bytes[sent...]), sent: 0) }
  }

  /// Sends bytes: what the client does not take now waits where it is.
  mutating func send(_ bytes: [UInt8]) {
    let sent = bytes.withUnsafeBytes { sendNow($0) }
    if sent < bytes.count { wait(bytes, sent: sent) }
  }

  /// Sends what waits, as far as the client takes it.
  mutating func sendWaiting() {
    var done = 0
    while done < queue.count {
      let first = queue[done]
      let sent = first.bytes.withUnsafeBytes {
        sendToKernel(UnsafeRawBufferPointer(rebasing: $0[first.sent...]))
      }
      guard !hasLostReader else { return }
      waitingBytes -= sent
      guard first.sent + sent == first.bytes.count else {
        queue[done].sent += sent
        break
      }
      done += 1
    }
    queue.removeFirst(done)
    // A client that once was behind must not cost the room for that ever after.
    if queue.isEmpty { queue = [] }
    updateFullness()
    updateEvents()
  }

  /// Drops what waits, and what is sent from now on.
  mutating func loseReader() {
    hasLostReader = true
    queue = []
    waitingBytes = 0
    updateFullness()
    updateEvents()
  }

  private mutating func wait(_ bytes: [UInt8], sent: Int) {
    queue.append(Waiting(bytes: bytes, sent: sent))
    waitingBytes += bytes.count - sent
    updateFullness()
    updateEvents()
  }

  /// Sends what the client takes at once, where nothing is before it.
  private mutating func sendNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard queue.isEmpty else { return 0 }
    let sent = sendToKernel(bytes)
    return hasLostReader ? bytes.count : sent
  }

  private mutating func sendToKernel(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !hasLostReader else { return 0 }
    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
    let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    if sent < 0, errno != EAGAIN, errno != EINTR {
      // A client whose reply cannot be sent, for want of memory, is not to wait for it.
      if errno != EPIPE, errno != ECONNRESET { shutdown(descriptor, CInt(SHUT_RDWR)) }
      loseReader()
    }
    return max(0, sent)
  }

  private mutating func updateFullness() {
    isFull = waitingBytes > (isFull ? highWater / 2 : highWater)
  }

  private mutating func updateEvents() {
    var events: EpollLoop.Events = []
    if isReading { events.insert(.readable) }
    if !queue.isEmpty { events.insert(.writable) }
    guard events != watched else { return }
    watched = events
    loop.change(descriptor, to: events)
  }
}
