internal import Glibc

/// The three descriptors that every program takes to be its standard streams.
enum StandardStreams {
  /// Opens /dev/null for each that is closed, so that no socket becomes standard error.
  ///
  /// To be called before any other descriptor is opened.
  static func open() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // The lowest that is free: this one.
      // Unsafe: C reads the path before it returns.
      _ = unsafe Glibc.open("/dev/null", O_RDWR)
    }
  }
}
