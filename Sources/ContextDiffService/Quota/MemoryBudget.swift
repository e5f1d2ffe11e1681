internal import Glibc

/// How much memory clients may make the daemon hold where no setting says so.
package enum MemoryBudget {
  /// Where no control group bounds it.
  package static let whereNoneIsSet = 512 << 20

  /// The least that is of use, in bytes: a user has a quarter of it, which is a thread's, and as much again for texts
  /// and events.
  package static let least = 1 << 20

  /// Three quarters of the least limit on the memory of this process's control group and those
  /// around it (`MemoryMax=`), which leaves a quarter for the program itself, for what allocating
  /// costs and for a call while it is worked on.
  ///
  /// - Parameters:
  ///   - membership: What /proc/self/cgroup says; `nil` to read it.
  ///   - root: Where the control groups are.
  /// - Returns: The budget in bytes; `whereNoneIsSet` where there is no limit.
  package static func derived(
    membership: String? = nil, root: String = "/sys/fs/cgroup"
  ) -> Int {
    let membership = membership ?? contents(of: "/proc/self/cgroup") ?? ""
    let limits = membership.split(separator: "\n").flatMap { line -> [Int] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[0] == "0", parts[1].isEmpty {
        return self.limits(named: "memory.max", from: parts[2], under: root)
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return self.limits(
        named: "memory.limit_in_bytes", from: parts[2], under: "\(root)/memory")
    }
    guard let least = limits.min() else { return whereNoneIsSet }
    return max(least / 4 * 3, Self.least)
  }

  /// The limits of a group and of those around it.
  private static func limits(
    named name: String, from path: Substring, under root: String
  ) -> [Int] {
    var limits: [Int] = []
    var path = path
    while true {
      let text = contents(of: "\(root)\(path)/\(name)")?.split(separator: "\n").first
      // "max", or on older kernels nearly all that an address can reach, is no limit.
      if let text, let limit = Int(text), limit < 1 << 50 { limits.append(limit) }
      guard let slash = path.lastIndex(of: "/") else { return limits }
      path = path[..<slash]
    }
  }

  private static func contents(of path: String) -> String? {
    // Unsafe: C reads the path and the mode before it returns, and fills no more than the bytes that
    // there are.
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
