internal import CLinux
internal import CSystemd
internal import Glibc

/// What this process tells the service manager that started it, by the protocol of sd_notify(3).
///
/// Each message is one datagram. No function waits: what the manager does not take now, since its
/// socket is full, waits here in its order until ``flush()``, which whoever has an event loop calls when
/// ``descriptor`` is writable; sd_notify(3) itself would keep its caller, and so everybody whom that one
/// serves, until the manager reads. Of status lines the last one waits, and of signs of life one. What
/// the manager refuses is dropped, as sd_notify(3) advises.
///
/// Without `$NOTIFY_SOCKET` every function does nothing: a program started by hand calls them all the
/// same. Used by one thread at a time.
public final class ServiceManager {
  private struct Message {
    /// What only the last message of its sort has to say.
    enum Sort { case status, watchdog, other }

    let sort: Sort
    let bytes: [UInt8]
    /// Goes with the message, a copy while that waits; -1 where none does.
    var descriptor: Int32 = -1
  }

  /// How many messages wait at most; what comes beyond them is dropped.
  public static let waitingLimit = 4096

  /// Called when a message has to wait where none did.
  public var onBehind: () -> Void = {}
  /// The socket, connected to the manager's, writable when a message that waits can be sent; -1 where
  /// there is no manager.
  public private(set) var descriptor: Int32 = -1
  private let address: String?
  private var waiting: [Message] = []

  /// A way to the manager that listens at an address.
  ///
  /// - Parameter address: a path, or a name in the abstract namespace after an `@`; no manager where it is
  ///   `nil`, or of another kind.
  public init(at address: String?) {
    self.address = address
    connect()
  }

  /// A way to the manager that `$NOTIFY_SOCKET` names, where there is one.
  public convenience init() {
    // Unsafe: the environment's own text, copied at once.
    unsafe self.init(at: getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) })
  }

  deinit {
    for message in waiting where message.descriptor >= 0 { close(message.descriptor) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many messages the manager has not taken yet.
  public var waitingCount: Int { waiting.count }

  // MARK: - Messages

  /// Says that start-up, or a reload, is finished (`READY=1`), with a first status line.
  public func ready(status: String) { send(["READY=1", "STATUS=" + status]) }

  /// Says that the process is on its way out (`STOPPING=1`).
  public func stopping() { send(["STOPPING=1"]) }

  /// Says that settings are being read anew (`RELOADING=1`); ``ready(status:)`` says that it's
  /// done.
  ///
  /// Carries `MONOTONIC_USEC`, by which systemd 253 and later (`Type=notify-reload`) tells this
  /// reload from an older one.
  public func reloading() {
    send(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)"])
  }

  /// Replaces the one line that `systemctl status` shows (`STATUS=`).
  public func status(_ line: String) { send(["STATUS=" + line], .status) }

  /// Says that the process is alive (`WATCHDOG=1`).
  ///
  /// To be sent by whatever must not get stuck, and by nothing else.
  public func watchdog() { send(["WATCHDOG=1"], .watchdog) }

  /// Asks the manager to keep a copy of `descriptor` over a restart or a crash (`FDSTORE=1`,
  /// `FDNAME=`).
  ///
  /// It comes back from ``listenDescriptors()`` of the next process. The manager keeps as many as
  /// the unit's `FileDescriptorStoreMax=` allows, and tells nobody where it doesn't. Names aren't
  /// unique: the caller takes the old one out first. `FDPOLL=0` keeps the manager from watching it
  /// for a hang-up, which a file never has.
  ///
  /// `name`: up to 255 ASCII characters without controls and colons.
  public func store(descriptor: Int32, name: String) {
    send(["FDSTORE=1", "FDNAME=" + name, "FDPOLL=0"], with: descriptor)
  }

  /// Asks the manager to give up all that it keeps under `name` (`FDSTOREREMOVE=1`, `FDNAME=`).
  public func removeStored(name: String) { send(["FDSTOREREMOVE=1", "FDNAME=" + name]) }

  // MARK: - Sending

  /// Sends what waits, as far as the manager takes it.
  ///
  /// - Returns: whether nothing waits any more.
  @discardableResult
  public func flush() -> Bool {
    var sent = 0
    while sent < waiting.count, isTaken(waiting[sent]) {
      if waiting[sent].descriptor >= 0 { close(waiting[sent].descriptor) }
      sent += 1
    }
    waiting.removeFirst(sent)
    return waiting.isEmpty
  }

  /// Sends what waits, and waits itself until the manager has taken all, or for `timeout`.
  ///
  /// - Returns: whether nothing waits any more.
  @discardableResult
  public func flush(timeout: Duration) -> Bool {
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

  /// Sends assignments, each a `NAME=value`, or has them wait.
  ///
  /// One that holds a newline would end there for the manager, so it is left out. Nothing is sent where
  /// none is left.
  private func send(
    _ assignments: [String], _ sort: Message.Sort = .other, with descriptor: Int32 = -1
  ) {
    let lines = assignments.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }
    guard self.descriptor >= 0, !lines.isEmpty else { return }
    var message = Message(
      sort: sort, bytes: Array(lines.joined(separator: "\n").utf8), descriptor: descriptor)
    if waiting.isEmpty, isTaken(message) { return }
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

  /// Whether a message need not wait: the manager has taken it, or never will.
  private func isTaken(_ message: Message) -> Bool {
    for attempt in 0..<2 {
      // Unsafe: the message's own bytes, which C reads before it returns.
      let status = unsafe message.bytes.withUnsafeBytes {
        unsafe clinux_send_datagram(descriptor, $0.baseAddress, $0.count, message.descriptor)
      }
      if status == 0 { return true }
      if errno == EAGAIN { return false }
      // A manager that listens at the address anew has another socket.
      guard attempt == 0, errno == ECONNREFUSED || errno == ENOTCONN, connect() else { break }
    }
    return true
  }

  /// Connects the socket, which is made where there is none yet.
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

// MARK: - What the manager told this process

extension ServiceManager {
  /// After how many microseconds without ``watchdog()`` the manager takes this process for stuck;
  /// nil where it doesn't watch.
  ///
  /// Twice as often is what sd_watchdog_enabled(3) recommends. nil too where `$WATCHDOG_PID` names
  /// another process. C: `sd_watchdog_enabled`.
  public static var watchdogInterval: UInt64? {
    var microseconds: UInt64 = 0
    // Unsafe: C fills the number before it returns.
    return unsafe sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : nil
  }

  /// The descriptors that the manager handed to this process, in its order, each with its name;
  /// close-on-exec, owned by the caller.
  ///
  /// Listening sockets have the name of `FileDescriptorName=`, or of their socket unit; descriptors
  /// kept by ``store(descriptor:name:)`` come back here too, under the name they were stored by, so
  /// that the caller must tell them apart by it. Empty where there is none, where the variables are
  /// for another process, and at every call but the first: it takes `$LISTEN_FDS`, `$LISTEN_PID`
  /// and `$LISTEN_FDNAMES` out of the environment, so call it before there is a second thread. C:
  /// `sd_listen_fds_with_names`.
  public static func listenDescriptors() -> [(descriptor: Int32, name: String)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // Unsafe: C's own array of as many names as it says, each of them and itself to be freed here.
    let count = unsafe sd_listen_fds_with_names(1, &names)
    guard count > 0, let names = unsafe names else { return [] }
    defer { unsafe free(names) }
    return (0..<count).map { index in
      let name = unsafe names[Int(index)]
      defer { unsafe free(name) }
      return (SD_LISTEN_FDS_START + index, unsafe name.map { unsafe String(cString: $0) } ?? "")
    }
  }
}
