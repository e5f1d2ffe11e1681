internal import ContextDiffService
internal import Glibc

/// What the sources of settings say at some time.
struct SettingsReading: Sendable {
  let settings: Settings
  let access: Access
  /// The limit of connections that was asked for, where the process may have fewer.
  let wantedConnections: Int?

  /// Reads the sources.
  ///
  /// Waits for files, and for whatever knows the groups' names.
  init(_ sources: SettingsSources) throws(SettingsError) {
    let read = try sources.read()
    var settings = read.settings
    access = try Access(settings, groupFrom: read.places["accessGroup"] ?? "")
    if settings.limits.totalBytes == 0 { settings.limits.totalBytes = MemoryBudget.derived() }
    // Unsafe: the environment's own text, copied at once.
    unsafe settings.boundUsers(
      byStore: getenv("FDSTORE").flatMap { unsafe Int(String(cString: $0)) })
    wantedConnections = settings.boundConnections(
      byDescriptors: SettingsReading.raiseDescriptorLimit())
    self.settings = settings
  }

  /// Takes as many descriptors as the process may have; returned is how many it has then.
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
