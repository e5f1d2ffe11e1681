import Glibc
import Synchronization
import Systemd
import Testing

/// These set environment variables, which are the process's, so they run one after the other.
@Suite(.serialized) struct ServiceManagerTests {
  @Test func messagesReachTheManagerAsOneDatagramEach() throws {
    let manager = try StubManager()
    ServiceManager.ready(status: "3 sessions")
    #expect(manager.receive() == "READY=1\nSTATUS=3 sessions")
    ServiceManager.status("0 sessions")
    #expect(manager.receive() == "STATUS=0 sessions")
    ServiceManager.stopping()
    #expect(manager.receive() == "STOPPING=1")
    ServiceManager.watchdog()
    #expect(manager.receive() == "WATCHDOG=1")
    ServiceManager.removeStored(name: "events-1000")
    #expect(manager.receive() == "FDSTOREREMOVE=1\nFDNAME=events-1000")
  }

  @Test func reloadingCarriesTheMonotonicTime() throws {
    let manager = try StubManager()
    let before = monotonicMicroseconds()
    ServiceManager.reloading()
    let lines = manager.receive().split(separator: "\n")
    let after = monotonicMicroseconds()
    #expect(lines.first == "RELOADING=1")
    let told = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
    #expect((before...after).contains(told))
  }

  @Test func aStoredDescriptorArrivesAsACopy() throws {
    let manager = try StubManager()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    ServiceManager.store(descriptor: ends[1], name: "events-1000")
    let (message, descriptor) = manager.receiveWithDescriptor()
    #expect(message == "FDSTORE=1\nFDNAME=events-1000\nFDPOLL=0")
    let copy = try #require(descriptor)
    defer { close(copy) }
    #expect(write(copy, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
  }

  @Test func anAssignmentWithANewlineIsLeftOut() {
    #expect(ServiceManager.datagram(of: ["STATUS=a\nMAINPID=1", "READY=1"]) == "READY=1")
    #expect(ServiceManager.datagram(of: ["STATUS=a\nMAINPID=1"]) == nil)
  }

  @Test func nothingHappensWithoutAManager() {
    unsetenv("NOTIFY_SOCKET")
    ServiceManager.ready(status: "")
    ServiceManager.store(descriptor: STDERR_FILENO, name: "x")
    #expect(ServiceManager.watchdogInterval == nil)
    #expect(ServiceManager.listenDescriptors().isEmpty)
  }

  @Test func theWatchdogsIntervalIsThisProcesssOwn() {
    setenv("WATCHDOG_USEC", "3000000", 1)
    defer {
      unsetenv("WATCHDOG_USEC")
      unsetenv("WATCHDOG_PID")
    }
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    #expect(ServiceManager.watchdogInterval == 3_000_000)
    setenv("WATCHDOG_PID", "1", 1)
    #expect(ServiceManager.watchdogInterval == nil)
  }

  @Test func descriptorsForAnotherProcessAreLeftAlone() {
    setenv("LISTEN_PID", "1", 1)
    setenv("LISTEN_FDS", "1", 1)
    #expect(ServiceManager.listenDescriptors().isEmpty)
    #expect(getenv("LISTEN_FDS") == nil)
  }

  private func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
