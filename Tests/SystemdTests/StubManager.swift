import Glibc
import Testing

/// A socket that stands where the service manager's would: what sd_notify(3) sends is read from it.
///
/// Its address is in the abstract namespace and holds this process's id, so that nothing is left
/// behind.
final class StubManager {
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    try #require(descriptor >= 0)
    let name = "contextdiff-tests-\(getpid())"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      // The first byte stays null: it says that the namespace is the abstract one.
      for (index, byte) in name.utf8.enumerated() { path[1 + index] = byte }
    }
    let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length))
      }
    }
    try #require(status == 0)
    setenv("NOTIFY_SOCKET", "@" + name, 1)
  }

  deinit {
    unsetenv("NOTIFY_SOCKET")
    close(descriptor)
  }

  /// The next message.
  func receive() -> String { receiveWithDescriptor().message }

  /// The next message, and the descriptor that came with it.
  func receiveWithDescriptor() -> (message: String, descriptor: Int32?) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // Large enough for the header and one descriptor, aligned as a header wants.
    var control = [UInt64](repeating: 0, count: 8)
    return bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
          var header = msghdr()
          header.msg_iov = vector
          header.msg_iovlen = 1
          header.msg_control = control.baseAddress
          header.msg_controllen = control.count
          let count = max(0, recvmsg(descriptor, &header, 0))
          let message = String(decoding: bytes[..<count], as: UTF8.self)
          let size = MemoryLayout<cmsghdr>.size
          guard header.msg_controllen >= size + MemoryLayout<Int32>.size,
            control.load(as: cmsghdr.self).cmsg_type == Int32(SCM_RIGHTS)
          else { return (message, nil) }
          return (message, control.load(fromByteOffset: size, as: Int32.self))
        }
      }
    }
  }
}
