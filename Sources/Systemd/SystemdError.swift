internal import Glibc

/// The failure of a function of libsystemd, or of pthread_create(3).
package struct SystemdError: Error, Equatable, CustomStringConvertible {
  /// The name of the C function.
  package var function: String
  /// The error number, positive as in errno.h.
  package var errno: Int32

  /// The function and what its error number means.
  package var description: String {
    // Unsafe: the C library's own text, copied at once.
    unsafe "\(function): \(String(cString: strerror(errno)))"
  }
}
