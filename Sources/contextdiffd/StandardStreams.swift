internal import Glibc

/// The descriptors of standard input, output and error.
enum StandardStreams {
  /// Opens /dev/null for each that is closed, so that no socket gets its number.
  ///
  /// To be called before any other descriptor is opened.
  static func open() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // open(2) takes the lowest free descriptor, which is this one.
      // Unsafe: C reads the path before it returns.
      _ = unsafe Glibc.open("/dev/null", O_RDWR)
    }
  }
}
