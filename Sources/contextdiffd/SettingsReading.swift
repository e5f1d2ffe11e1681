internal import ContextDiffService
internal import Glibc

/// The settings as read at one time, completed by what this process may have.
struct SettingsReading: Sendable {
  /// The settings that hold.
  let settings: Settings
  /// The settings as the sources have them, before this process's limits change any.
  let written: Settings
  let access: Access
  /// The `limits.connections` that was set, where the process may not have so many descriptors; else `nil`.
  let wantedConnections: Int?
  /// The `limits.users` that was set, where the service manager does not keep so many users' events; else `nil`, as where
  /// it is the default.
  let wantedUsers: Int?

  /// Reads the sources, and raises the process's limit of descriptors.
  ///
  /// Blocks: files are read, and the group's name is looked up (getgrnam(3)).
  init(_ sources: SettingsSources) throws(SettingsError) {
    let read = try sources.read()
    written = read.settings
    var settings = read.settings
    access = try Access(settings, groupFrom: read.places["accessGroup"] ?? "")
    // Unsafe: the environment's own text, copied at once.
    let users = unsafe settings.boundUsers(
      byStore: getenv("FDSTORE").flatMap { unsafe Int(String(cString: $0)) })
    wantedUsers = read.places["limits.users"] == nil ? nil : users
    wantedConnections = settings.boundConnections(
      byDescriptors: SettingsReading.raiseDescriptorLimit())
    // Asked at each reading, so that what is left is looked at before clients hold anything.
    let derived = MemoryBudget.derived(connections: settings.limits.connections)
    if settings.limits.totalBytes == 0 { settings.limits.totalBytes = derived }
    self.settings = settings
  }

  /// Raises the soft limit of open files to the hard one, and returns the limit that holds then.
  private static func raiseDescriptorLimit() -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // Unsafe: C fills, then reads, the limits before each call returns.
    unsafe getrlimit(files, &limit)
    limit.rlim_cur = limit.rlim_max
    // Refused where the hard limit is more than the machine allows by now (fs.nr_open).
    if unsafe setrlimit(files, &limit) != 0 { unsafe getrlimit(files, &limit) }
    return Int(clamping: limit.rlim_cur)
  }
}
