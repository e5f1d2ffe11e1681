internal import Glibc

/// The default of `limits.totalBytes`: how much memory clients may make the daemon hold.
package enum MemoryBudget {
  /// The budget where no control group bounds the memory, in bytes.
  package static let whereNoneIsSet = 512 << 20

  /// The smallest useful budget, in bytes: a user's quarter of it has room for a thread, and as much again for texts and
  /// events.
  package static let least = 1 << 20

  /// What the kernel mostly keeps for a connection whose client does not read, in bytes: the socket, and what
  /// `VarlinkListener` bounds, which one send may exceed, to 96 KiB at most.
  package static let kernelBytesPerConnection = 72 << 10

  /// Three quarters of what the lowest memory limit of this process's control group and those around it (`MemoryMax=`)
  /// leaves beside the kernel's part, and no more than a quarter of what this process's own limits (`LimitAS=`,
  /// `LimitDATA=`) left it at its start.
  ///
  /// The fourth quarter is for the program itself, for the allocator's own needs and for calls that are being answered.
  /// The kernel's part is what it keeps for connections, in no account, but a quarter of the limit at most.
  /// Of the process's own limits three are, since these count what is mapped: each user's stack, and the memory of its
  /// events twice, however little of it is used.
  ///
  /// - Parameters:
  ///   - connections: How many connections there may be.
  ///   - membership: The contents of /proc/self/cgroup; `nil` to read them.
  ///   - root: Where the control groups are mounted.
  ///   - left: What the process's own limits left it, each in bytes; `nil` to ask the kernel.
  /// - Returns: The budget in bytes, `least` or more; `whereNoneIsSet` at most where no control group has a limit.
  package static func derived(
    connections: Int, membership: String? = nil, root: String = "/sys/fs/cgroup",
    left: [Int]? = nil
  ) -> Int {
    let membership = membership ?? contents(of: "/proc/self/cgroup") ?? ""
    let limits = membership.split(separator: "\n").flatMap { line -> [Int] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[0] == "0" {
        return self.limits(named: "memory.max", from: parts[2], under: root)
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return self.limits(
        named: "memory.limit_in_bytes", from: parts[2], under: "\(root)/memory")
    }
    let budget = limits.min().map { limit in
      (limit - min(limit / 4, connections * kernelBytesPerConnection)) / 4 * 3
    }
    let most = (left ?? leftAtStart).min().map { $0 / 4 } ?? .max
    return max(min(budget ?? whereNoneIsSet, most), least)
  }

  /// What the limits of this process's own (setrlimit(2)) left it when this was first asked, each in bytes; later its
  /// size has what clients make it hold.
  private static let leftAtStart: [Int] = {
    // The size of all that is mapped, and of data and stacks, in pages.
    let sizes = (contents(of: "/proc/self/statm") ?? "").split { $0 == " " || $0 == "\n" }
    return [(RLIMIT_AS, 0), (RLIMIT_DATA, 5)].compactMap { resource, place in
      var limit = rlimit()
      // Unsafe: C fills the limit before it returns.
      guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
        limit.rlim_cur < 1 << 50, sizes.indices.contains(place), let pages = Int(sizes[place])
      else { return nil }
      return max(0, Int(limit.rlim_cur) - pages * sysconf(Int32(_SC_PAGESIZE)))
    }
  }()

  /// The memory limits of a control group and of those around it, in bytes, from the files called `name`.
  private static func limits(
    named name: String, from path: Substring, under root: String
  ) -> [Int] {
    var limits: [Int] = []
    var path = path
    while true {
      let text = contents(of: "\(root)\(path)/\(name)")?.split(separator: "\n").first
      // Without a limit the file says "max", or, of version 1, a number near the largest.
      if let text, let limit = Int(text), limit < 1 << 50 { limits.append(limit) }
      guard let slash = path.lastIndex(of: "/") else { return limits }
      path = path[..<slash]
    }
  }

  private static func contents(of path: String) -> String? {
    (try? SettingsSources.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }
}
