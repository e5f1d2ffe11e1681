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
    let status = sd_id128_randomize(&id)
    guard status >= 0 else {
      throw SystemdError(function: "sd_id128_randomize", errno: -status)
    }
    return withUnsafeBytes(of: &id) { bytes in
      String(unsafeUninitializedCapacity: 32) { digits in
        for (index, byte) in bytes.enumerated() {
          digits[2 * index] = hexDigit(byte >> 4)
          digits[2 * index + 1] = hexDigit(byte & 15)
        }
        return 32
      }
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
