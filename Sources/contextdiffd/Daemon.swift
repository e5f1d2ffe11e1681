internal import CLinux
internal import CWipingFree
internal import ContextDiffService
internal import ContextDiffWire
internal import Glibc
internal import Logging
internal import Systemd
internal import Varlink

/// The daemon: makes its parts, runs their loop, and acts on signals.
final class Daemon {
  /// How long a stopping daemon waits for subscribers to read the events that wait for them.
  private static let drainTime = Duration.seconds(5)
  /// How long reading the settings may take, as from a file system that hangs, before the next SIGHUP is not kept waiting.
  private static let readingTime = Duration.seconds(10)

  /// How many free bytes each arena of malloc(3) keeps for the next call (`clinux_keep_free_memory`).
  ///
  /// With half as many, a call with 500 KB of text takes half as long again.
  private static let keptFreeBytes: Int32 = 4 << 20

  /// How many arenas there may be: what they keep free, which nobody is charged for, is an eighth of the memory budget, or
  /// `keptFreeBytes` where that is more.
  private static func arenaLimit(_ settings: Settings) -> Int32 {
    let budget = Quota.Limits(settings).budgetBytes
    return Int32(clamping: max(1, budget / 8 / Int(keptFreeBytes)))
  }

  private let sources: SettingsSources
  private let output: LogOutput
  private let journal: ServiceJournal
  private let loop: EpollLoop
  private let submitter: EpollLoop.Submitter
  private let manager = ServiceManager()
  private let users: UserLoops
  private let listener: VarlinkListener
  private var ownSockets: OwnSockets?
  private var isStopping = false
  private var reload = Reload.none
  /// How many times the settings were read, or given up.
  private var readings = 0

  /// Whether the settings are being reloaded.
  private enum Reload {
    /// No reload is under way.
    case none
    /// A thread reads the settings.
    case underWay
    /// A thread reads the settings, and SIGHUP has come since it began: they are read once more after that.
    case underWayAndDueAgain
  }

  /// Runs until a signal, or idleness, ends the daemon.
  ///
  /// - Parameters:
  ///   - sources: Where the settings are read from, now and at each reload.
  ///   - paths: Where to listen besides the service manager's sockets; where there are neither, at the default path.
  /// - Throws: Why the daemon cannot start, in one line; ``SettingsError`` where the settings cannot be used.
  static func run(sources: SettingsSources, listening paths: [String]) throws {
    // First, for one that comes earlier ends the process. The others may end it while the settings are read, which can
    // take long: there is nothing yet to be left in order.
    SignalSet.block([SIGHUP])
    let reading = try SettingsReading(sources)
    // This and `listenDescriptors` come before there is a second thread: threads inherit which signals are blocked, and
    // that function changes the environment.
    let signals = try SignalSet([SIGHUP, SIGINT, SIGTERM])
    // A write to standard error is to fail where nobody reads it any more, not to end the process.
    signal(SIGPIPE, SIG_IGN)
    // So is one beyond a limit of file sizes, which counts for the memory of events and of what is stored, too.
    signal(SIGXFSZ, SIG_IGN)
    let received = try ServiceManager.listenDescriptors()
    // Its memory holds what people type, which must not get into a file.
    clinux_forbid_core_dumps()
    wiping_free_is_linked()
    clinux_keep_free_memory(keptFreeBytes)
    clinux_limit_arenas(arenaLimit(reading.settings))

    let stored = received.filter { UserLoops.isStored($0.name) }
    let passed = received.filter { !UserLoops.isStored($0.name) }
    let own = try listen(on: paths, orDefaultIf: passed.isEmpty, sources, reading.access)
    var ownSockets: OwnSockets?
    defer {
      if let ownSockets {
        ownSockets.removeFiles()
      } else {
        own.removeFiles()
      }
    }

    let daemon = try Daemon(
      sources: sources, reading: reading, stored: stored,
      listening: passed.map(\.descriptor) + own.map(\.descriptor))
    let sockets = try OwnSockets(
      own, groupID: reading.access.groupID, loop: daemon.loop, listener: daemon.listener,
      journal: daemon.journal)
    ownSockets = sockets
    daemon.ownSockets = sockets
    let names = passed.map {
      "\(UnixSocket.path(of: $0.descriptor) ?? $0.name) of the service manager"
    }
    daemon.journal.started(version: contextdiffVersion, sockets: names + own.map(\.path))
    if let warning = sources.warning { daemon.journal.variablesUnknown(warning) }
    daemon.tellBound(of: reading)
    try daemon.run(heeding: signals)
  }

  private init(
    sources: SettingsSources, reading: SettingsReading,
    stored: [(descriptor: Int32, name: String)], listening descriptors: [Int32]
  ) throws {
    self.sources = sources
    let settings = reading.settings
    let output = try LogOutput(
      fieldPrefix: "CONTEXTDIFF_", threshold: Daemon.level(settings),
      dropsMessageID: MessageID.entriesDropped.rawValue, ownerKey: "clientUID")
    self.output = output
    let logger = Logger(label: "contextdiffd") { _ in output.handler() }
    journal = ServiceJournal(logger: logger)
    loop = try EpollLoop()
    submitter = try loop.makeSubmitter()
    let users = try UserLoops(
      settings: settings, access: reading.access,
      info: VarlinkServiceInfo(
        vendor: "contextdiff", product: "contextdiffd", version: contextdiffVersion,
        url: "https://github.com/contextdiff/contextdiff"),
      loop: loop, manager: manager, logger: logger)
    self.users = users
    listener = VarlinkListener(on: loop) { users.accept($0) }
    manager.onBehind = { [unowned self] in waitForManager() }
    users.adopt(stored)
    listener.onTrouble = { [unowned self] error in
      guard let error else { return journal.clientsAccepted() }
      journal.clientsWait(error)
      // At a stop nobody is accepted later, so that nothing is to be forgotten for it.
      if error.systemError == EMFILE, !isStopping { users.forgetForDescriptor() }
    }
    for descriptor in descriptors {
      do throws(VarlinkSocketError) {
        try listener.listen(on: descriptor)
      } catch {
        throw DaemonError(
          description: """
            descriptor \(descriptor) is no Unix socket that listens (a socket unit needs ListenStream= with a path, \
            and Accept=no): \(error)
            """)
      }
    }
  }

  private func run(heeding signals: SignalSet) throws {
    try loop.watch(signals.descriptor, for: .readable) { [self] _ in
      while let signal = signals.next() { heed(signal) }
    }
    users.onIdle = { [self] in stop(because: "nobody is connected") }
    if let interval = ServiceManager.watchdogInterval {
      feedWatchdog(every: .microseconds(interval / 2))
    }
    // Most of the memory at this time is code that only starting needs; code that is called again is read from its
    // file again. 50 ms later, so that the client whose call started the daemon does not wait for it.
    loop.schedule(after: .milliseconds(50)) { clinux_release_code() }
    manager.ready(status: users.statusLine)
    loop.run()
    users.archiveSessions()
    manager.flush(timeout: .seconds(1))
    output.flush(timeout: .seconds(1))
  }

  /// Sends the service manager's queued messages when it reads again; clients are served meanwhile.
  ///
  /// Logs it where that takes longer than a second.
  private func waitForManager() {
    var isTold = false
    let late = loop.schedule(after: .seconds(1)) { [self] in
      isTold = true
      journal.managerDoesNotRead()
    }
    do throws(VarlinkSocketError) {
      try loop.watch(manager.descriptor, for: .writable) { [self] _ in
        guard manager.flush() else { return }
        loop.unwatch(manager.descriptor)
        late.cancel()
        if isTold { journal.managerReads() }
      }
    } catch {
      late.cancel()
      loop.schedule(after: .seconds(1)) { [self] in if !manager.flush() { waitForManager() } }
    }
  }

  /// Sends the watchdog message now and after each `interval`, from the daemon's loop, except while a user's loop hangs.
  private func feedWatchdog(every interval: Duration) {
    if users.loopsMakeProgress() { manager.watchdog() }
    loop.schedule(after: interval) { [self] in feedWatchdog(every: interval) }
  }

  // MARK: - Signals

  private func heed(_ signal: Int32) {
    switch signal {
    case SIGHUP: if !isStopping { readSettings() }
    default: if isStopping { stopNow() } else { stop(because: "asked to") }
    }
  }

  /// Reloads the settings; they are read on a thread of their own, so that no client waits for a slow file or for the
  /// look-up of the group's name.
  private func readSettings() {
    guard case .none = reload else {
      reload = .underWayAndDueAgain
      return
    }
    reload = .underWay
    readings += 1
    let number = readings
    manager.reloading()
    loop.schedule(after: Daemon.readingTime) { [self] in
      if readings == number { apply(nil, of: number) }
    }
    let (sources, submitter) = (sources, submitter)
    // Unsafe: used only on the loop's thread; the daemon lives as long as its loop runs.
    nonisolated(unsafe) let daemon = self
    do {
      try DetachedThread.start {
        let reading = Result { () throws(SettingsError) in try SettingsReading(sources) }
        // Unsafe: called on the loop's thread.
        submitter.submit { unsafe daemon.apply(reading, of: number) }
      }
    } catch {
      // Without a thread the settings are read here, and clients wait.
      apply(Result { () throws(SettingsError) in try SettingsReading(sources) }, of: number)
    }
  }

  /// Takes over what the reading of that number found; `nil` where it has not ended, and what it finds comes too late.
  private func apply(_ reading: Result<SettingsReading, SettingsError>?, of number: Int) {
    guard !isStopping, number == readings else { return }
    readings += 1
    let isDueAgain = if case .underWayAndDueAgain = reload { true } else { false }
    reload = .none
    switch reading {
    case .success(let reading):
      output.threshold = Daemon.level(reading.settings)
      users.apply(reading.settings, access: reading.access)
      ownSockets?.admit(reading.access.groupID)
      journal.settingsReloaded()
      tellBound(of: reading)
    case .failure(let error):
      journal.settingsRejected(because: "\(error)")
    case nil:
      let seconds = Daemon.readingTime.components.seconds
      journal.settingsRejected(because: "reading them has not ended in \(seconds) s")
    }
    manager.ready(status: users.statusLine)
    if isDueAgain { readSettings() }
  }

  /// Logs it where the process may have fewer connections, or serve fewer users, than were set.
  private func tellBound(of reading: SettingsReading) {
    let limits = reading.settings.limits
    if let wanted = reading.wantedConnections {
      journal.connectionsBounded(to: limits.connections, of: wanted)
    }
    if let wanted = reading.wantedUsers { journal.usersBounded(to: limits.users, of: wanted) }
  }

  /// Stops accepting clients, and stops the loop once every user's loop has ended or `drainTime` is over.
  private func stop(because reason: String) {
    isStopping = true
    manager.stopping()
    journal.stopping(because: reason)
    listener.stop(most: users.settings.limits.connections)
    users.stop(within: Daemon.drainTime) { [self] in loop.stop() }
  }

  /// Cuts a stop short: closes every connection now.
  private func stopNow() {
    users.stop(within: .zero) { [self] in loop.stop() }
  }

  // MARK: - Surroundings

  /// Turns away the clients that wait in the service manager's sockets: where the daemon cannot start, they would have
  /// the manager start it again and again.
  static func turnAwayWaiting() {
    for (descriptor, name) in (try? ServiceManager.listenDescriptors()) ?? []
    where !UserLoops.isStored(name) {
      UnixSocket.turnAwayWaiting(on: descriptor)
    }
  }

  /// Logs why the daemon does not start.
  ///
  /// - Parameter error: Why: the settings cannot be used (`SettingsError`), or anything else.
  /// - Returns: Whether the journal has the entry; if not, the caller is to write to standard error.
  static func journal(_ error: any Error) -> Bool {
    let output = try? LogOutput(
      fieldPrefix: "CONTEXTDIFF_", dropsMessageID: MessageID.entriesDropped.rawValue)
    guard let output, output.leadsToJournal else { return false }
    let journal = ServiceJournal(logger: Logger(label: "contextdiffd") { _ in output.handler() })
    if let error = error as? SettingsError {
      journal.settingsUnusable(error)
    } else {
      journal.notStarted(because: "\(error)")
    }
    return output.flush(timeout: .seconds(1))
  }

  /// Makes the sockets at `paths`; without any, where the service manager passed none (`isAlone`), the one at the
  /// default path.
  private static func listen(
    on paths: [String], orDefaultIf isAlone: Bool, _ sources: SettingsSources, _ access: Access
  ) throws -> [ListeningSocket] {
    guard !paths.isEmpty || !isAlone else {
      guard let path = ListeningSocket.defaultPath(environment: sources.environment) else {
        throw DaemonError(description: "no socket: give --listen, or set XDG_RUNTIME_DIR")
      }
      return try ListeningSocket.listen(
        at: [path], groupID: access.groupID, needsOwnFolder: true)
    }
    return try ListeningSocket.listen(at: paths, groupID: access.groupID)
  }

  private static func level(_ settings: Settings) -> Logger.Level {
    Logger.Level(rawValue: settings.logLevel) ?? .info
  }
}

/// Why the daemon cannot start, in one line.
struct DaemonError: Error, CustomStringConvertible {
  let description: String
}
