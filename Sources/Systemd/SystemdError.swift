internal import Glibc

/// The failure of a function of libsystemd, or of pthread_create(3).
public struct SystemdError: Error, Equatable, CustomStringConvertible {
  /// The name of the C function.
  public var function: String
  /// The error number, positive as in errno.h.
  public var errno: Int32

  /// The function and what its error number means.
  public var description: String {
    // Unsafe: the C library's own text, copied at once.
    unsafe "\(function): \(String(cString: strerror(errno)))"
  }
}
