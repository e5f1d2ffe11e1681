internal import Glibc

/// A socket that stands where the service manager's would: what is sent there is read from it.
public final class StubManager {
  /// As `$NOTIFY_SOCKET` would say it.
  public let address: String
  private let descriptor: Int32

  /// Why there is no such socket: the `errno`.
  public struct Failure: Error {
    let systemError = errno
  }

  /// Binds an address: one of its own in the abstract namespace, where nothing is left behind, unless one is given.
  public init(at address: String? = nil) throws {
    self.address = address ?? "@contextdiff-tests-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure() }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = self.address.utf8.map { $0 == UInt8(ascii: "@") ? 0 : $0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sa_family_t>.size + bytes.count
    let status = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length))
      }
    }
    guard status == 0 else { throw Failure() }
    // What never comes is to fail a test, not to hang it.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The next message; empty where none comes within a minute.
  public func receive() -> String { receiveWithDescriptor().message }

  /// The next message, and the descriptor that came with it.
  public func receiveWithDescriptor() -> (message: String, descriptor: Int32?) {
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
