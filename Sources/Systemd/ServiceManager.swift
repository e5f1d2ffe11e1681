internal import CLinux
internal import CSystemd
internal import Glibc

/// The connection to the service manager that started this process, by the protocol of sd_notify(3).
///
/// Each message is one datagram. Only ``flush(timeout:)`` blocks; sd_notify(3) itself would, and so would keep the
/// daemon's clients waiting until the manager reads. While the manager's socket is full, messages are queued here in
/// their order until ``flush()``, which a program's event loop calls when ``descriptor`` is writable. The queue holds
/// one status line, the last, and one watchdog message. Messages that the manager refuses are dropped, as sd_notify(3)
/// advises.
///
/// Without `$NOTIFY_SOCKET` every function does nothing, so that a program started by hand can call them all. To be
/// used by one thread at a time.
package final class ServiceManager {
  private struct Message {
    /// What a message is about: a new status line or watchdog message replaces a queued one.
    enum Sort { case status, watchdog, other }

    let sort: Sort
    let bytes: [UInt8]
    /// The descriptor that goes with the message, a duplicate while the message is queued; -1 for none.
    var descriptor: Int32 = -1
  }

  /// How many messages are queued at most; further ones are dropped.
  package static let waitingLimit = 4096

  /// Called when a message has to be queued and no other is.
  package var onBehind: () -> Void = {}
  /// The socket to the manager, writable when a queued message can be sent; -1 where there is no manager.
  package private(set) var descriptor: Int32 = -1
  private let address: String?
  private var waiting: [Message] = []

  /// Connects to the manager that listens at an address.
  ///
  /// - Parameter address: an absolute path, or `@` and a name in the abstract namespace; where it is `nil` or anything
  ///   else, there is no manager.
  package init(at address: String?) {
    self.address = address
    connect()
  }

  /// Connects to the manager that `$NOTIFY_SOCKET` names, if that is set.
  package convenience init() {
    // Unsafe: the environment's own text, copied at once.
    unsafe self.init(at: getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) })
  }

  deinit {
    for message in waiting where message.descriptor >= 0 { close(message.descriptor) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many messages the manager has not taken yet.
  package var waitingCount: Int { waiting.count }

  // MARK: - Messages

  /// Tells that start-up, or a reload, is finished (`READY=1`), with a status line.
  package func ready(status: String) { send(["READY=1", "STATUS=" + status]) }

  /// Tells that the process is ending (`STOPPING=1`).
  package func stopping() { send(["STOPPING=1"]) }

  /// Tells that settings are being reloaded (`RELOADING=1`); ``ready(status:)`` tells that this is finished.
  ///
  /// Carries `MONOTONIC_USEC`, by which systemd 253 and later (`Type=notify-reload`) tells this
  /// reload from an older one.
  package func reloading() {
    send(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)"])
  }

  /// Replaces the one line that `systemctl status` shows (`STATUS=`).
  package func status(_ line: String) { send(["STATUS=" + line], .status) }

  /// Tells that the process is alive (`WATCHDOG=1`).
  ///
  /// To be called only by the code whose hanging the watchdog is to notice.
  package func watchdog() { send(["WATCHDOG=1"], .watchdog) }

  /// Asks the manager to keep a copy of `descriptor` over a restart or a crash (`FDSTORE=1`,
  /// `FDNAME=`).
  ///
  /// The next process gets it by ``listenDescriptors()``. The manager keeps as many descriptors as the unit's
  /// `FileDescriptorStoreMax=` allows, and drops further ones silently. Names are not unique: to replace a descriptor,
  /// call ``removeStored(name:)`` first. `FDPOLL=0` keeps the manager from watching the descriptor for a hang-up, which
  /// a file never has.
  ///
  /// `name` has up to 255 ASCII characters, without control characters and colons.
  package func store(descriptor: Int32, name: String) {
    send(["FDSTORE=1", "FDNAME=" + name, "FDPOLL=0"], with: descriptor)
  }

  /// Asks the manager to drop all descriptors that it keeps under `name` (`FDSTOREREMOVE=1`, `FDNAME=`).
  package func removeStored(name: String) { send(["FDSTOREREMOVE=1", "FDNAME=" + name]) }

  // MARK: - Sending

  /// Sends the queued messages, as far as the manager takes them.
  ///
  /// - Returns: whether none is queued any more.
  @discardableResult
  package func flush() -> Bool {
    var sent = 0
    while sent < waiting.count, trySend(waiting[sent]) {
      if waiting[sent].descriptor >= 0 { close(waiting[sent].descriptor) }
      sent += 1
    }
    waiting.removeFirst(sent)
    return waiting.isEmpty
  }

  /// Sends the queued messages, and blocks until the manager has taken all or `timeout` has passed.
  ///
  /// - Returns: whether none is queued any more.
  @discardableResult
  package func flush(timeout: Duration) -> Bool {
    let end = ContinuousClock.now + timeout
    while !flush() {
      let left = (end - ContinuousClock.now).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      guard milliseconds > 0 else { return false }
      var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // Unsafe: C reads and fills the one structure before it returns.
      unsafe poll(&writable, 1, Int32(clamping: milliseconds))
    }
    return true
  }

  /// Sends assignments, each a `NAME=value`, as one message, or queues that.
  ///
  /// An assignment with a newline is left out, since the manager would take the text behind the newline for another
  /// one; where no assignment is left, nothing is sent.
  private func send(
    _ assignments: [String], _ sort: Message.Sort = .other, with descriptor: Int32 = -1
  ) {
    let lines = assignments.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }
    guard self.descriptor >= 0, !lines.isEmpty else { return }
    var message = Message(
      sort: sort, bytes: Array(lines.joined(separator: "\n").utf8), descriptor: descriptor)
    if waiting.isEmpty, trySend(message) { return }
    let wasBehind = !waiting.isEmpty
    if sort != .other { waiting.removeAll { $0.sort == sort } }
    guard waiting.count < ServiceManager.waitingLimit else { return }
    if descriptor >= 0 {
      message.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard message.descriptor >= 0 else { return }
    }
    waiting.append(message)
    if !wasBehind { onBehind() }
  }

  /// Sends a message; returns false where it must be queued because the manager's socket is full, true where it was
  /// sent, or refused and so dropped.
  private func trySend(_ message: Message) -> Bool {
    for attempt in 0..<2 {
      // Unsafe: the message's own bytes, which C reads before it returns.
      let status = unsafe message.bytes.withUnsafeBytes {
        unsafe clinux_send_datagram(descriptor, $0.baseAddress, $0.count, message.descriptor)
      }
      if status == 0 { return true }
      if errno == EAGAIN { return false }
      // A restarted manager listens at the same address on another socket.
      guard attempt == 0, errno == ECONNREFUSED || errno == ENOTCONN, connect() else { break }
    }
    return true
  }

  /// Makes the socket, if there is none yet, and connects it; returns whether it is connected.
  @discardableResult
  private func connect() -> Bool {
    guard let address,
      address.utf8.first == UInt8(ascii: "/") || address.utf8.first == UInt8(ascii: "@")
    else { return false }
    if descriptor < 0 {
      descriptor = socket(
        AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
      return false
    }
    // A name in the abstract namespace begins with a NUL, and has none at its end.
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    // Unsafe: fewer bytes than the path has room for; C reads the address before it returns.
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    return unsafe withUnsafePointer(to: name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(size)) == 0
      }
    }
  }
}

// MARK: - What the manager passes to this process

extension ServiceManager {
  /// After how many microseconds without ``watchdog()`` the manager takes this process for hanging; nil where it does
  /// not watch this process, also where `$WATCHDOG_PID` names another one.
  ///
  /// sd_watchdog_enabled(3) recommends to call ``watchdog()`` twice in that time. C: `sd_watchdog_enabled`.
  package static var watchdogInterval: UInt64? {
    var microseconds: UInt64 = 0
    // Unsafe: C fills the number before it returns.
    return unsafe sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : nil
  }

  /// The descriptors that the manager passed to this process, in its order, each with its name; close-on-exec, owned by
  /// the caller.
  ///
  /// A listening socket has the name that its unit sets (`FileDescriptorName=`), else the unit's own. A descriptor kept
  /// by ``store(descriptor:name:)`` has the name that it was stored by; nothing but the names tells the two sorts
  /// apart. Empty where none was passed, where the variables are for another process, and at every call but the first,
  /// which removes `$LISTEN_FDS`, `$LISTEN_PID` and `$LISTEN_FDNAMES` from the environment: so call it before there is
  /// a second thread. C: `sd_listen_fds_with_names`.
  ///
  /// - Throws: ``ListenDescriptorsError`` where `$LISTEN_FDS` is no number, or there are fewer descriptors than it says.
  package static func listenDescriptors() throws(ListenDescriptorsError)
    -> [(descriptor: Int32, name: String)]
  {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // Unsafe: C's own array of as many names as it says, each of them and itself to be freed here.
    let count = unsafe sd_listen_fds_with_names(1, &names)
    if count < 0 { throw ListenDescriptorsError(systemError: -count) }
    guard count > 0, let names = unsafe names else { return [] }
    defer { unsafe free(names) }
    return (0..<count).map { index in
      let name = unsafe names[Int(index)]
      defer { unsafe free(name) }
      return (SD_LISTEN_FDS_START + index, unsafe name.map { unsafe String(cString: $0) } ?? "")
    }
  }
}

/// The variables by which a service manager passes descriptors do not fit what it has passed.
package struct ListenDescriptorsError: Error, CustomStringConvertible {
  /// The `errno` that says why.
  package let systemError: Int32

  /// The variable, and the C library's words for the error: `LISTEN_FDS: Bad file descriptor`.
  package var description: String {
    // Unsafe: the C library's own text, copied at once.
    unsafe "LISTEN_FDS: \(String(cString: strerror(systemError)))"
  }
}
