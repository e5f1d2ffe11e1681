internal import CLinux
internal import Glibc

/// System calls on Unix sockets (unix(7)).
package enum UnixSocket {
  /// Makes a socket that listens at `path`, whose file has the permissions `mode` from its beginning, whatever the
  /// umask.
  ///
  /// Sets the process's umask for a moment. Throws where `path` is taken, empty, too long or holds a NUL.
  package static func listen(at path: String, mode: UInt32) throws(VarlinkSocketError) -> CInt {
    guard let address = sockaddr_un(path: path) else {
      throw VarlinkSocketError("bind", ENAMETOOLONG)
    }
    let descriptor = try make()
    // The file that bind() makes has the socket's mode without the umask's bits, and the umask is 0 meanwhile. A
    // chmod() by path could be led to another file.
    var failed: String? = fchmod(descriptor, mode) == 0 ? nil : "fchmod"
    if failed == nil {
      let mask = umask(0)
      // Unsafe: C reads the address while it is lent.
      failed = unsafe address.lend { unsafe bind(descriptor, $0, $1) } == 0 ? nil : "bind"
      let error = errno
      umask(mask)
      errno = error
    }
    if failed == nil, Glibc.listen(descriptor, SOMAXCONN) != 0 { failed = "listen" }
    if let failed {
      let error = VarlinkSocketError(failed, errno)
      Glibc.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Accepts and closes all connections that wait on a socket that listens.
  package static func turnAwayWaiting(on listener: CInt) {
    guard neverWaits(listener) else { return }
    while true {
      let descriptor = clinux_accept(listener)
      guard descriptor >= 0 else { return }
      Glibc.close(descriptor)
    }
  }

  /// Whether a process listens at the socket file at `path`.
  ///
  /// - Throws: ``VarlinkSocketError`` where connecting fails otherwise than by `ECONNREFUSED`.
  package static func isAnswered(at path: String) throws(VarlinkSocketError) -> Bool {
    let descriptor = try makeUnconnected()
    defer { Glibc.close(descriptor) }
    do {
      // `false` is a full accept queue, which a listening process has.
      _ = try connect(descriptor, to: path)
      return true
    } catch {
      guard error.systemError == ECONNREFUSED else { throw error }
      return false
    }
  }

  /// Makes a socket that is not connected, and whose calls never wait.
  package static func makeUnconnected() throws(VarlinkSocketError) -> CInt {
    try make(flags: CInt(SOCK_NONBLOCK.rawValue))
  }

  /// Connects a socket from ``makeUnconnected()`` to the process that listens at `path`.
  ///
  /// - Returns: whether it is connected; `false` where that process's accept queue is full (`EAGAIN`): no descriptor
  ///   tells when there is a place in the queue, so that the caller has to try again later.
  package static func connect(
    _ descriptor: CInt, to path: String
  ) throws(VarlinkSocketError) -> Bool {
    guard let address = sockaddr_un(path: path) else {
      throw VarlinkSocketError("connect", ENAMETOOLONG)
    }
    // Unsafe: C reads the address while it is lent.
    if unsafe address.lend(to: { unsafe Glibc.connect(descriptor, $0, $1) }) == 0 { return true }
    guard errno == EAGAIN else { throw VarlinkSocketError("connect", errno) }
    return false
  }

  /// Makes a Unix stream socket, which child processes do not inherit.
  private static func make(flags: CInt = 0) throws(VarlinkSocketError) -> CInt {
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw VarlinkSocketError("socket", errno) }
    return descriptor
  }

  /// Prepares a Unix stream socket that listens for accepting: accept calls do not wait, and the accept queue has 1,024
  /// places, or as many as the machine allows (`net.core.somaxconn`).
  ///
  /// All users wait in one queue, so that whoever keeps it full has each new client wait for all of its places; and a
  /// client that connects a thousand times at once finds room. Throws where `descriptor` is anything else.
  static func prepareToAccept(_ descriptor: CInt) throws(VarlinkSocketError) {
    guard try option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      try option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
      try option(SO_ACCEPTCONN, of: descriptor) != 0
    else { throw VarlinkSocketError("accept", EINVAL) }
    guard Glibc.listen(descriptor, 1_024) == 0 else { throw VarlinkSocketError("listen", errno) }
    guard neverWaits(descriptor) else { throw VarlinkSocketError("fcntl", errno) }
    // Clients cannot send descriptors then, if the kernel can refuse them; accepted sockets inherit this.
    _ = refuseDescriptors(to: descriptor)
  }

  /// The path of the file of `socket`; `nil` where it has none.
  package static func path(of socket: CInt) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    // Unsafe: C fills the address, and ends a path with a NUL where there is room for one; there is one more behind the
    // longest.
    return unsafe withUnsafeMutableBytes(of: &address) { bytes in
      let filled = unsafe bytes.withMemoryRebound(to: sockaddr.self) {
        unsafe getsockname(socket, $0.baseAddress, &size)
      }
      guard let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path), filled == 0,
        Int(size) > start
      else { return nil }
      let path = unsafe bytes[start..<min(Int(size), bytes.count)].prefix { $0 != 0 }
      return unsafe path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    }
  }

  /// Has calls on `socket` never wait; `false` where that fails.
  private static func neverWaits(_ socket: CInt) -> Bool {
    let flags = fcntl(socket, F_GETFL)
    return flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0
  }

  /// The value of an option of `socket` that is a number.
  private static func option(_ option: CInt, of socket: CInt) throws(VarlinkSocketError) -> CInt {
    var value: CInt = 0
    var size = socklen_t(MemoryLayout.size(ofValue: value))
    // Unsafe: C fills the number before it returns.
    guard unsafe getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 else {
      throw VarlinkSocketError("getsockopt", errno)
    }
    return value
  }

  /// Whether the kernel can refuse the descriptors that a client sends: Linux 6.16 and later.
  package static let canRefuseDescriptors: Bool = {
    guard let probe = try? make() else { return false }
    defer { Glibc.close(probe) }
    return refuseDescriptors(to: probe)
  }()

  /// Has the kernel refuse descriptors that are sent to `socket`; `false` where it cannot.
  private static func refuseDescriptors(to socket: CInt) -> Bool {
    // SO_PASSRIGHTS, which the C library does not define yet.
    let option: CInt = 83
    var passes: CInt = 0
    // Unsafe: C reads the number before it returns.
    return unsafe setsockopt(
      socket, SOL_SOCKET, option, &passes, socklen_t(MemoryLayout.size(ofValue: passes))) == 0
  }

  /// How many bytes the kernel may keep for a client that does not read, as it counts them: twice 32 KiB, which it
  /// doubles for what comes with them.
  ///
  /// The machine's default, some 200 KiB, would be 400 MiB for as many connections as there can be, in no account.
  static let sendBufferBytes: CInt = 32 << 10

  /// Bounds how much the kernel keeps of what is sent to `socket` and not read yet.
  static func boundSendBuffer(of socket: CInt) {
    var bytes = sendBufferBytes
    // Unsafe: C reads the number before it returns. It cannot fail for a socket.
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
  }

  /// Whether the other end is closed, and of what it sent there is nothing to be read, or so little that it is looked at
  /// here, without the end of a call.
  static func isGone(_ socket: CInt) -> Bool {
    // Unsafe: C fills the bytes before it returns; what a client sent is not left in memory.
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      let count = unsafe recv(
        socket, bytes.baseAddress, bytes.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
      if count <= 0 { return count == 0 }
      defer { unsafe clinux_wipe(bytes.baseAddress, count) }
      if unsafe bytes[..<count].contains(0) { return false }
      var state = pollfd(fd: socket, events: 0, revents: 0)
      guard unsafe poll(&state, 1, 0) == 1, state.revents & Int16(POLLHUP) != 0 else {
        return false
      }
      // More may have come since, and behind what was sent with descriptors; no more comes now.
      return unreadByteCount(socket) == count
    }
  }

  /// Looks at the next byte that can be read from `socket`, and leaves it there.
  ///
  /// - Returns: 1 where there is one, 0 where the other end is closed, below 0 where nothing has come.
  static func peek(_ socket: CInt) -> Int {
    var byte: UInt8 = 0
    // Unsafe: C fills the one byte before it returns.
    return unsafe recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
  }

  /// How many bytes have arrived at `socket` and not been read, those among them that can't be: a byte that was sent out
  /// of band (`MSG_OOB`) counts for ever.
  static func unreadByteCount(_ socket: CInt) -> Int { count(UInt(FIONREAD), of: socket) }

  /// How many bytes the kernel keeps of what was sent to `socket`'s other end and not read there, with what comes with
  /// them (`SIOCOUTQ`); 0 where that fails.
  static func unsentByteCount(_ socket: CInt) -> Int { count(UInt(TIOCOUTQ), of: socket) }

  /// The number that ioctl(2) gives for `request`; 0 where that fails.
  private static func count(_ request: UInt, of socket: CInt) -> Int {
    var count: CInt = 0
    // Unsafe: C fills the number before it returns.
    return unsafe ioctl(socket, request, &count) == 0 ? Int(count) : 0
  }
}

extension sockaddr_un {
  /// The address of the socket file at `path`; `nil` where the path is too long, empty, or holds a
  /// NUL.
  fileprivate init?(path: String) {
    self.init()
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: sun_path)
    guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
    sun_family = sa_family_t(AF_UNIX)
    // Unsafe: there is room for the path, checked above.
    unsafe withUnsafeMutableBytes(of: &sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// Lends the address and its size to `call`.
  fileprivate func lend(to call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    // Unsafe: C takes every kind of address as a `sockaddr`.
    unsafe withUnsafePointer(to: self) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
