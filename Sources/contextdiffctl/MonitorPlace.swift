import ContextDiffClient
import Glibc

/// Where a monitor of a socket stopped, kept for the next one: a run and a number, and nothing of
/// what was typed.
struct MonitorPlace {
  /// What the monitor before this one wrote.
  let stored: EventPosition?
  private let descriptor: CInt

  /// The place of that socket, in `$XDG_STATE_HOME/contextdiff` or `~/.local/state/contextdiff`;
  /// where no such folder can be had, nothing is kept.
  init(socket: String) {
    var base = Self.variable("XDG_STATE_HOME")
    if base == nil, let home = Self.variable("HOME") {
      base = home + "/.local/state"
      // Unsafe: C reads the path before it returns.
      unsafe mkdir(home + "/.local", 0o700)
    }
    guard let base else {
      (stored, descriptor) = (nil, -1)
      return
    }
    // Unsafe: C reads the paths before each call returns, and fills no more than the bytes that there
    // are.
    unsafe mkdir(base, 0o700)
    let folder = base + "/contextdiff"
    unsafe mkdir(folder, 0o700)
    let name = String(Self.absolute(socket).map { $0 == "/" ? "%" : $0 })
    descriptor = unsafe open("\(folder)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe descriptor < 0 ? 0 : max(0, pread(descriptor, &bytes, bytes.count, 0))
    let words = String(decoding: bytes[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }
    if words.count == 2, let sequence = Int(words[1]) {
      stored = EventPosition(instance: String(words[0]), sequence: sequence)
    } else {
      stored = nil
    }
  }

  /// The path from the root, so that a socket has one place by whatever path; as it is where there is none.
  private static func absolute(_ path: String) -> String {
    // Unsafe: the C library's own text, copied and freed at once.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Notes how far this monitor is.
  func note(_ position: EventPosition) {
    guard descriptor >= 0, let instance = position.instance else { return }
    // Of one length for one run, so that a write replaces the one before.
    let digits = String(position.sequence)
    let padding = String(repeating: "0", count: max(0, 20 - digits.count))
    let line = Array("\(instance) \(padding)\(digits)\n".utf8)
    // Unsafe: the line's own bytes, as many as it has.
    _ = unsafe pwrite(descriptor, line, line.count, 0)
  }

  private static func variable(_ name: String) -> String? {
    // Unsafe: the environment's own text, copied at once.
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
