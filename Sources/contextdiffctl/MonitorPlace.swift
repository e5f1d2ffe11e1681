import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Glibc
import Varlink

/// The file that keeps, for one socket and one choice of events, the position at which a monitor stopped, for
/// `monitor --since last`.
///
/// It holds the run of the daemon and the number of the last event, and nothing of what was typed.
struct MonitorPlace {
  /// The position that the monitor before this one noted; `nil` where the file holds none.
  let stored: EventPosition?
  /// Why no position can be kept, in one line; `nil` where it can.
  let problem: String?
  /// The open file; negative where there is none.
  private let descriptor: CInt

  /// Opens or makes the file for the socket at the path `socket`, and reads it.
  ///
  /// The file is in `$XDG_STATE_HOME/contextdiff`, or else, also where that is no absolute path (XDG Base Directory
  /// Specification), in `~/.local/state/contextdiff`. Where that folder, or the file, cannot be made, nothing is kept.
  /// A monitor of some `sessions` or `kinds` alone, which passes over other events, has a file of its own.
  init(socket: String, sessions: [String], kinds: [Kind]) {
    var base = SocketPath.variable("XDG_STATE_HOME")
    if base?.utf8.first != UInt8(ascii: "/") { base = nil }
    if base == nil, let home = SocketPath.variable("HOME") {
      base = home + "/.local/state"
      // Unsafe: C reads the path before it returns.
      unsafe mkdir(home + "/.local", 0o700)
    }
    guard let base else {
      (stored, descriptor) = (nil, -1)
      problem = "XDG_STATE_HOME is no absolute path, and HOME is not set"
      return
    }
    // Unsafe: C reads the paths before each call returns, and fills no more than `bytes` has.
    unsafe mkdir(base, 0o700)
    let folder = base + "/contextdiff"
    unsafe mkdir(folder, 0o700)
    // By scalars: a mark behind a slash would be one character with it.
    let path = Self.absolute(socket).unicodeScalars
    var name = String(String.UnicodeScalarView(path.map { $0 == "/" ? "%" : $0 }))
    if !sessions.isEmpty || !kinds.isEmpty {
      let choice = Self.sorted(sessions) + [""] + Self.sorted(kinds.map(\.rawValue))
      name += "%%\(Self.digest(of: choice))"
    }
    descriptor = unsafe open("\(folder)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    problem = descriptor < 0 ? "\(folder)/\(name): \(String(errno: errno))" : nil
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe descriptor < 0 ? 0 : max(0, pread(descriptor, &bytes, bytes.count, 0))
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    if words.count == 2, let sequence = Int(words[1]), sequence >= 0 {
      stored = EventPosition(instance: String(words[0]), sequence: sequence)
    } else {
      stored = nil
    }
  }

  /// The words in the order of their bytes.
  private static func sorted(_ words: [String]) -> [String] {
    words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A hash of the words for a file's name: FNV-1a, in 16 hexadecimal digits.
  private static func digest(of words: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in words {
      for byte in Array(word.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The absolute path without symbolic links, so that all paths to a socket lead to one file; `path` itself where it
  /// names nothing that is there.
  private static func absolute(_ path: String) -> String {
    // Unsafe: the C library's own text, copied and freed at once.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Keeps `position`, which the monitor has reached; one without a run is not kept.
  ///
  /// - Returns: Why it could not be kept, in one line, where there is a file to keep it in; else `nil`.
  func note(_ position: EventPosition) -> String? {
    guard descriptor >= 0, let instance = position.instance else { return nil }
    // The number is padded to 20 digits, so that each line is as long as the one that it overwrites.
    let digits = String(position.sequence)
    let padding = String(repeating: "0", count: max(0, 20 - digits.count))
    let line = Array("\(instance) \(padding)\(digits)\n".utf8)
    // Unsafe: the line's own bytes, as many as it has.
    let written = unsafe pwrite(descriptor, line, line.count, 0)
    return written == line.count ? nil : String(errno: written < 0 ? errno : ENOSPC)
  }
}
