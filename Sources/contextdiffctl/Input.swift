import ContextDiffConsole
import ContextDiffWire
import Glibc

/// Reads the lines of standard input or of a file, chunk by chunk.
///
/// `@safe`: the input owns the buffer, which is freed in `deinit`; lines are copied out of it.
@safe
struct Input: ~Copyable {
  /// The longest line that this process reads, in bytes: that of the longest event that a daemon sends.
  static let longestLine = Interface.replyLimit

  private let descriptor: CInt
  private let name: String
  private var splitter: LineSplitter
  private let buffer: UnsafeMutableRawBufferPointer
  private var isAtEnd = false
  /// The file's size, in bytes; 0 where the input is no regular file.
  let totalBytes: Int
  /// How many bytes have been read.
  private(set) var readBytes = 0
  /// How many lines have been read, blank ones among them.
  var readLines: Int { splitter.count }

  /// Opens the file at `path`, or standard input where `path` is `nil` or `-`.
  ///
  /// A line longer than `longestLine` is an error in its place among the lines.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: `Failure` where the file cannot be opened.
  init(_ path: String?) throws {
    let file = path == "-" ? nil : path
    descriptor = try file.map(Self.open) ?? STDIN_FILENO
    name = file ?? "standard input"
    splitter = LineSplitter(limit: Self.longestLine)
    var status = stat()
    // Unsafe: C fills the status before it returns.
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    totalBytes = isFile ? Int(status.st_size) : 0
    // 1 MiB of a file, so that a chunk has lines enough for all processors. A pipe gives 64 KiB at a time by default:
    // 128 KiB are enough for it.
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

  /// Reads the next chunk, and returns the lines that it completes, without blank ones; `nil` at the end of the input.
  ///
  /// There may be none, where the chunk ends within a line. Blocks the thread until there is input: the commands that
  /// read have nothing else to do meanwhile.
  ///
  /// - Throws: `Failure` where the input cannot be read.
  mutating func nextLines() throws -> [LineSplitter.Line]? {
    guard !isAtEnd else { return nil }
    // Unsafe: C fills no more than the buffer has; what it has filled is copied into lines.
    let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
    guard count >= 0 else {
      if errno == EINTR { return [] }
      if errno == EAGAIN {
        // The descriptor is non-blocking, as another process that shares it may make it: waits for input.
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Unsafe: C fills the one descriptor's events before it returns.
        unsafe poll(&input, 1, -1)
        return []
      }
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

  /// Reads to the end, and returns the lines that are not blank.
  mutating func allLines() throws -> [LineSplitter.Line] {
    var lines: [LineSplitter.Line] = []
    while let more = try nextLines() { lines += more }
    return lines
  }
}
