internal import CLinux
internal import ContextDiffService
internal import ContextDiffWire
internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Systemd
internal import Varlink

/// The daemon from start to end: the parts on their event loop, and a main thread that waits for
/// signals.
struct Daemon {
  /// How long subscribers may take for what waits for them when the daemon ends.
  private static let drainTime = TimeAmount.seconds(5)

  private let sources: SettingsSources
  private let output: LogOutput
  private let journal: ServiceJournal
  private let eventLoop: any EventLoop
  private let parts: NIOLoopBound<Parts>

  /// What lives on the event loop.
  private struct Parts {
    let service: Service
    let server: VarlinkServer
  }

  /// Runs until a signal ends it.
  ///
  /// - Throws: Why it cannot start, in one line.
  static func run(sources: SettingsSources, listening paths: [String]) throws {
    var settings = try sources.read()
    let access = try Access(settings)
    // Before there is a second thread: signals are for the main thread alone, and the environment
    // changes.
    let signals = SignalSet([SIGHUP, SIGINT, SIGTERM, SIGUSR1])
    signals.block()
    let received = ServiceManager.listenDescriptors()
    forbidCoreDumps()
    let wanted = settings.boundConnections(byDescriptors: raiseDescriptorLimit())

    let isStored = { (name: String) in name == "sessions" || name.hasPrefix("events-") }
    let stored = received.filter { isStored($0.name) }
    let own = try listen(
      on: paths, orDefaultIf: received.count == stored.count, sources, access)
    defer { for socket in own { socket.removeFile() } }
    let descriptors = received.filter { !isStored($0.name) }.map(\.descriptor)
    let names = received.filter { !isStored($0.name) }.map { "\($0.name) of the service manager" }

    // Most of the memory so far is code that nothing but starting needs: what still is needed comes again.
    clinux_release_code()
    let daemon = try Daemon(
      sources: sources, settings: settings, access: access, stored: stored,
      listening: descriptors + own.map(\.descriptor))
    daemon.journal.started(version: contextdiffVersion, sockets: names + own.map(\.path))
    if let wanted {
      daemon.journal.connectionsBounded(to: settings.limits.connections, of: wanted)
    }
    try daemon.run(until: signals)
  }

  private init(
    sources: SettingsSources, settings: Settings, access: Access,
    stored: [(descriptor: Int32, name: String)], listening descriptors: [Int32]
  ) throws {
    self.sources = sources
    let output = LogOutput(
      fieldPrefix: "CONTEXTDIFF_", threshold: Daemon.level(settings),
      dropsMessageID: MessageID.entriesDropped.rawValue)
    self.output = output
    let logger = Logger(label: "contextdiffd") { output.handler(label: $0) }
    journal = ServiceJournal(logger: logger)
    eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    let eventLoop = eventLoop
    parts = try eventLoop.submit {
      let service = try Service(
        settings: settings, access: access, eventLoop: eventLoop, logger: logger)
      service.onIdle = { kill(getpid(), SIGTERM) }
      service.adopt(stored)
      let server = VarlinkServer(
        info: VarlinkServiceInfo(
          vendor: "contextdiff", product: "contextdiffd", version: contextdiffVersion,
          url: "https://github.com/contextdiff/contextdiff"),
        interfaces: try Service.interfaces(), frameLimit: settings.limits.frameBytes,
        connectionLimit: settings.limits.connections, handler: service, on: eventLoop)
      return NIOLoopBound(Parts(service: service, server: server), eventLoop: eventLoop)
    }
    .wait()
    let parts = parts
    for descriptor in descriptors {
      try eventLoop.flatSubmit { parts.value.server.listen(on: descriptor) }.wait()
    }
    if let interval = ServiceManager.watchdogInterval {
      // From the loop that does the work: where that is stuck, nothing is sent.
      eventLoop.scheduleRepeatedTask(
        initialDelay: .zero, delay: .microseconds(Int64(interval / 2))
      ) { _ in ServiceManager.watchdog() }
    }
    let status = try eventLoop.submit { parts.value.service.status }.wait()
    ServiceManager.ready(status: status)
  }

  // MARK: - Signals

  private func run(until signals: SignalSet) throws {
    var isStopping = false
    while true {
      switch signals.wait() {
      case SIGHUP where !isStopping: try reload()
      case SIGUSR1 where isStopping: return finish()
      case SIGUSR1: break
      case SIGINT where !isStopping, SIGTERM where !isStopping:
        isStopping = true
        stop()
      case SIGINT, SIGTERM: return finish()
      default: break
      }
    }
  }

  private func reload() throws {
    ServiceManager.reloading()
    let parts = parts
    do throws(SettingsError) {
      var settings = try sources.read()
      let access = try Access(settings)
      let wanted = settings.boundConnections(byDescriptors: Daemon.raiseDescriptorLimit())
      output.threshold = Daemon.level(settings)
      eventLoop.execute { [settings] in
        parts.value.service.apply(settings, access: access)
        parts.value.server.frameLimit = settings.limits.frameBytes
        parts.value.server.connectionLimit = settings.limits.connections
      }
      journal.settingsReloaded()
      if let wanted { journal.connectionsBounded(to: settings.limits.connections, of: wanted) }
    } catch {
      journal.settingsRejected(error)
    }
    let status = try eventLoop.submit { parts.value.service.status }.wait()
    ServiceManager.ready(status: status)
  }

  /// Begins the end; SIGUSR1 says when the last client has gone.
  private func stop() {
    ServiceManager.stopping()
    journal.stopping(because: "asked to")
    let parts = parts
    eventLoop.execute {
      parts.value.service.stop()
      parts.value.server.shutDown(deadline: .now() + Daemon.drainTime)
        .whenComplete { _ in kill(getpid(), SIGUSR1) }
    }
  }

  private func finish() {
    let parts = parts
    _ = try? eventLoop.submit { parts.value.service.archiveSessions() }.wait()
    output.flush(timeout: .seconds(1))
  }

  // MARK: - Surroundings

  private static func listen(
    on paths: [String], orDefaultIf isAlone: Bool, _ sources: SettingsSources, _ access: Access
  ) throws -> [ListeningSocket] {
    var paths = paths
    if paths.isEmpty, isAlone {
      guard let path = ListeningSocket.defaultPath(environment: sources.environment) else {
        throw DaemonError(description: "no socket: give --listen, or set XDG_RUNTIME_DIR")
      }
      paths = [path]
    }
    return try ListeningSocket.listen(at: paths, groupID: access.groupID)
  }

  /// What people typed is in this process's memory, and so may not get into a file.
  private static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    clinux_forbid_core_dumps()
  }

  /// Takes as many descriptors as the process may have: that many.
  private static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }

  private static func level(_ settings: Settings) -> Logger.Level {
    Logger.Level(rawValue: settings.logLevel) ?? .info
  }
}

/// Why the daemon cannot start, in one line.
struct DaemonError: Error, CustomStringConvertible {
  let description: String
}
