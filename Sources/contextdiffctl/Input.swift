import ContextDiffConsole
import ContextDiffWire
import Glibc

/// Standard input or a file, as lines in the chunks that they arrive in.
///
/// Safe: it owns the buffer and frees it when it ends; lines are copied out of it.
@safe
struct Input: ~Copyable {
  /// The longest line that this process takes, in bytes: an event as long as a daemon may tell one.
  static let longestLine = Interface.replyLimit

  private let descriptor: CInt
  private let name: String
  private var splitter: LineSplitter
  private let buffer: UnsafeMutableRawBufferPointer
  private var isAtEnd = false
  /// How many bytes there are; 0 where nobody knows.
  let totalBytes: Int
  /// How many bytes have been read.
  private(set) var readBytes = 0
  /// How many lines have been read.
  var readLines: Int { splitter.count }

  /// Opens `path`; standard input where it is `nil` or `-`.
  init(_ path: String?, lineLimit: Int = longestLine) throws {
    let file = path == "-" ? nil : path
    descriptor = try file.map(Self.open) ?? STDIN_FILENO
    name = file ?? "standard input"
    splitter = LineSplitter(limit: lineLimit)
    var status = stat()
    // Unsafe: C fills the status before it returns.
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    totalBytes = isFile ? Int(status.st_size) : 0
    // A pipe gives 64 KiB at a time at most; of a file, each processor is to have its share.
    unsafe buffer = .allocate(byteCount: isFile ? 1 << 20 : 1 << 17, alignment: 16)
  }

  private static func open(_ path: String) throws -> CInt {
    // Unsafe: C reads the path before it returns.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("cannot open \(path)", errno: errno) }
    return descriptor
  }

  deinit {
    unsafe buffer.deallocate()
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// The lines, but blank ones, that the next chunk completes, none maybe; `nil` at the end.
  ///
  /// Blocks its thread until there is input. The commands that read have nothing else to do
  /// meanwhile.
  mutating func nextLines() throws -> [LineSplitter.Line]? {
    guard !isAtEnd else { return nil }
    // Unsafe: C fills no more than the buffer has; what it has filled is copied into lines.
    let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
    guard count >= 0 else {
      if errno == EINTR { return [] }
      throw Failure("cannot read \(name)", errno: errno)
    }
    readBytes += count
    guard count > 0 else {
      isAtEnd = true
      return splitter.finish().map { [$0] }
    }
    var lines: [LineSplitter.Line] = []
    unsafe splitter.split(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { lines.append($0) }
    return lines
  }

  /// All lines that are not blank.
  mutating func allLines() throws -> [LineSplitter.Line] {
    var lines: [LineSplitter.Line] = []
    while let more = try nextLines() { lines += more }
    return lines
  }
}
