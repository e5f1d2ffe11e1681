internal import CSystemd

/// 128-bit ids as systemd writes them.
package enum ID128 {
  /// A new random id: 32 lower-case hex digits, a version 4 UUID without its dashes.
  ///
  /// C: `sd_id128_randomize`, `sd_id128_to_string`.
  ///
  /// - Throws: ``SystemdError`` where the kernel gives no random bytes.
  package static func random() throws(SystemdError) -> String {
    var id = sd_id128_t()
    // Unsafe: C fills the id before it returns.
    let status = unsafe sd_id128_randomize(&id)
    guard status >= 0 else {
      throw SystemdError(function: "sd_id128_randomize", errno: -status)
    }
    let digits = UnsafeMutablePointer<CChar>.allocate(capacity: 33)
    defer { unsafe digits.deallocate() }
    // Unsafe: C fills the digits and their NUL, for which there is room; they are copied before they are freed.
    unsafe sd_id128_to_string(id, digits)
    return unsafe String(cString: digits)
  }
}
