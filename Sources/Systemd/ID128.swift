internal import CSystemd

/// 128-bit ids as systemd writes them.
public enum ID128 {
  /// A new random id: 32 lower-case hex digits, a version 4 UUID without its dashes.
  ///
  /// C: `sd_id128_randomize`.
  ///
  /// - Throws: ``SystemdError`` where the kernel gives no random bytes.
  public static func random() throws(SystemdError) -> String {
    var id = sd_id128_t()
    // Unsafe: C fills the id before it returns.
    let status = unsafe sd_id128_randomize(&id)
    guard status >= 0 else {
      throw SystemdError(function: "sd_id128_randomize", errno: -status)
    }
    // Unsafe: the id's own bytes, read while they are lent; 16 of them are 32 digits.
    return unsafe withUnsafeBytes(of: &id) { bytes in
      unsafe String(unsafeUninitializedCapacity: 32) { digits in
        for index in bytes.indices {
          let byte = unsafe bytes[index]
          unsafe digits[2 * index] = hexDigit(byte >> 4)
          unsafe digits[2 * index + 1] = hexDigit(byte & 15)
        }
        return 32
      }
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
