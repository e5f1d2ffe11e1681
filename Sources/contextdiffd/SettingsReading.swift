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
    var settings = try sources.read()
    access = try Access(settings)
    if settings.limits.totalBytes == 0 { settings.limits.totalBytes = MemoryBudget.derived() }
    // Unsafe: the environment's own text, copied at once.
    unsafe settings.boundUsers(
      byStore: getenv("FDSTORE").flatMap { unsafe Int(String(cString: $0)) })
    wantedConnections = settings.boundConnections(
      byDescriptors: SettingsReading.raiseDescriptorLimit())
    self.settings = settings
  }

  /// Takes as many descriptors as the process may have: that many.
  private static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    // Unsafe: C fills, then reads, the limits before it returns.
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
