internal import CLinux
internal import ContextDiffService
internal import ContextDiffWire
internal import Glibc
internal import Logging
internal import Systemd
internal import Varlink

/// The daemon from start to end: the parts, their loop, and what signals ask for.
final class Daemon {
  /// How long subscribers may take for what waits for them when the daemon ends.
  private static let drainTime = Duration.seconds(5)

  private let sources: SettingsSources
  private let output: LogOutput
  private let journal: ServiceJournal
  private let loop: EpollLoop
  private let service: Service
  private let server: VarlinkServer
  private var isStopping = false

  /// Runs until a signal ends it.
  ///
  /// - Throws: Why it cannot start, in one line.
  static func run(sources: SettingsSources, listening paths: [String]) throws {
    var settings = try sources.read()
    let access = try Access(settings)
    // Before there is a second thread: no thread is to be interrupted, and the environment changes.
    let signals = try SignalSet([SIGHUP, SIGINT, SIGTERM])
    // Who reads what is logged to standard error may go.
    signal(SIGPIPE, SIG_IGN)
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

    let daemon = try Daemon(
      sources: sources, settings: settings, access: access, stored: stored,
      listening: descriptors + own.map(\.descriptor))
    daemon.journal.started(version: contextdiffVersion, sockets: names + own.map(\.path))
    if let wanted {
      daemon.journal.connectionsBounded(to: settings.limits.connections, of: wanted)
    }
    try daemon.run(heeding: signals)
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
    loop = try EpollLoop()
    service = try Service(settings: settings, access: access, loop: loop, logger: logger)
    service.adopt(stored)
    server = VarlinkServer(
      info: VarlinkServiceInfo(
        vendor: "contextdiff", product: "contextdiffd", version: contextdiffVersion,
        url: "https://github.com/contextdiff/contextdiff"),
      interfaces: [service.interface], frameLimit: settings.limits.frameBytes,
      connectionLimit: settings.limits.connections, handler: service, on: loop)
    for descriptor in descriptors { try server.listen(on: descriptor) }
  }

  private func run(heeding signals: SignalSet) throws {
    try loop.watch(signals.descriptor, for: .readable) { [self] _ in
      while let signal = signals.next() { heed(signal) }
    }
    service.onIdle = { [self] in stop() }
    if let interval = ServiceManager.watchdogInterval {
      feedWatchdog(every: .microseconds(interval / 2))
    }
    // Most of the memory so far is code that nothing but starting needs; what still is needed comes
    // again. Whoever's call has started the daemon does not wait for that.
    loop.schedule(after: .milliseconds(50)) { clinux_release_code() }
    ServiceManager.ready(status: service.status)
    loop.run()
    service.archiveSessions()
    output.flush(timeout: .seconds(1))
  }

  /// From the loop that does the work: where that is stuck, nothing is sent.
  private func feedWatchdog(every interval: Duration) {
    ServiceManager.watchdog()
    loop.schedule(after: interval) { [self] in feedWatchdog(every: interval) }
  }

  // MARK: - Signals

  private func heed(_ signal: Int32) {
    switch signal {
    case SIGHUP: if !isStopping { reload() }
    default: if isStopping { loop.stop() } else { stop() }
    }
  }

  private func reload() {
    ServiceManager.reloading()
    do throws(SettingsError) {
      var settings = try sources.read()
      let access = try Access(settings)
      let wanted = settings.boundConnections(byDescriptors: Daemon.raiseDescriptorLimit())
      output.threshold = Daemon.level(settings)
      service.apply(settings, access: access)
      server.frameLimit = settings.limits.frameBytes
      server.connectionLimit = settings.limits.connections
      journal.settingsReloaded()
      if let wanted { journal.connectionsBounded(to: settings.limits.connections, of: wanted) }
    } catch {
      journal.settingsRejected(error)
    }
    ServiceManager.ready(status: service.status)
  }

  /// Begins the end: the loop stops when the last client has gone.
  private func stop() {
    isStopping = true
    ServiceManager.stopping()
    journal.stopping(because: "asked to")
    service.stop()
    server.shutDown(within: Daemon.drainTime) { [self] in loop.stop() }
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
