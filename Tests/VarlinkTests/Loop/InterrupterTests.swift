import CLinux
import Glibc
import Testing
import Varlink

/// What the kernel has a thread wait for, where it cannot refuse clients' descriptors.
@Suite struct InterrupterTests {
  /// Of the socket below, in seconds: it is closed at once, not after that.
  private static let lingerTime: CInt = 100

  /// A TCP socket whose last reference takes so long to be closed: its other end, which is left to itself, reads nothing.
  private func lingering() throws -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    // Unsafe: C reads and fills the address before each call returns.
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #expect(unsafe bind(listener, address, size) == 0)
        #expect(listen(listener, 1) == 0)
        #expect(unsafe getsockname(listener, address, &size) == 0)
        #expect(unsafe connect(descriptor, address, size) == 0)
      }
    }
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while send(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
    var option = linger(l_onoff: 1, l_linger: InterrupterTests.lingerTime)
    try #require(
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size)) == 0)
    return descriptor
  }

  /// The ends of a connection over which that socket is on its way.
  private func sent() throws -> (reader: CInt, writer: CInt) {
    var ends: [CInt] = [0, 0]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let descriptor = try lingering()
    #expect(clinux_send_datagram(ends[1], "x", 1, descriptor) == 0)
    close(descriptor)
    return (reader: ends[0], writer: ends[1])
  }

  private func expectItToBeSoon(_ body: () throws -> Void) rethrows {
    let began = ContinuousClock.now
    try body()
    #expect(began.duration(to: .now) < .seconds(Int(InterrupterTests.lingerTime) / 2))
  }

  @Test func aLoopThatReadsWhatDescriptorsComeWithGoesOn() throws {
    let ends = try sent()
    let loop = try EpollLoop(endsLongWaits: true)
    try loop.watch(ends.reader, for: .readable) { _ in
      var byte: UInt8 = 0
      #expect(recv(ends.reader, &byte, 1, 0) == 1)
      loop.stop()
    }
    expectItToBeSoon { loop.run() }
    close(ends.reader)
    close(ends.writer)
  }

  @Test func aLoopThatClosesWhatNobodyHasReadGoesOn() throws {
    let ends = try sent()
    let loop = try EpollLoop(endsLongWaits: true)
    try loop.watch(ends.reader, for: .readable) { _ in
      loop.unwatch(ends.reader)
      close(ends.reader)
      loop.stop()
    }
    expectItToBeSoon { loop.run() }
    close(ends.writer)
  }

  @Test func aLoopThatIsInterruptedInItsSleepSleepsOn() throws {
    let loop = try EpollLoop(endsLongWaits: true)
    var turns = 0
    loop.atEndOfTurns { turns += 1 }
    loop.schedule(after: .zero) { loop.schedule(after: .milliseconds(300)) { loop.stop() } }
    loop.run()
    #expect(turns == 2)
  }
}
