internal import Glibc

/// A call into libsystemd, or for a thread, that failed.
public struct SystemdError: Error, Equatable, CustomStringConvertible {
  /// The C function.
  public var function: String
  /// The positive error number that it returned negated, as all of libsystemd does.
  public var errno: Int32

  /// The function and what its error number means.
  public var description: String {
    // Unsafe: the C library's own text, copied at once.
    unsafe "\(function): \(String(cString: strerror(errno)))"
  }
}
