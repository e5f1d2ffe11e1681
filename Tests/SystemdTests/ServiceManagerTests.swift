import Glibc
import Synchronization
import Systemd
import TestSupport
import Testing

/// These set environment variables, which are the process's, so they run one after the other.
@Suite(.serialized) struct ServiceManagerTests {
  @Test func messagesReachTheManagerAsOneDatagramEach() throws {
    let stub = try StubManager()
    let manager = ServiceManager(at: stub.address)
    manager.ready(status: "3 sessions")
    #expect(stub.receive() == "READY=1\nSTATUS=3 sessions")
    manager.status("0 sessions")
    #expect(stub.receive() == "STATUS=0 sessions")
    manager.stopping()
    #expect(stub.receive() == "STOPPING=1")
    manager.watchdog()
    #expect(stub.receive() == "WATCHDOG=1")
    manager.removeStored(name: "events-1000")
    #expect(stub.receive() == "FDSTOREREMOVE=1\nFDNAME=events-1000")
  }

  @Test func theEnvironmentSaysWhereTheManagerIs() throws {
    let stub = try StubManager()
    setenv("NOTIFY_SOCKET", stub.address, 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    ServiceManager().stopping()
    #expect(stub.receive() == "STOPPING=1")
  }

  @Test func aManagerAtAPathIsReached() throws {
    let path = "/tmp/contextdiff-tests-\(getpid())-notify"
    let stub = try StubManager(at: path)
    defer { unlink(path) }
    ServiceManager(at: path).stopping()
    #expect(stub.receive() == "STOPPING=1")
  }

  @Test func reloadingCarriesTheMonotonicTime() throws {
    let stub = try StubManager()
    let before = monotonicMicroseconds()
    ServiceManager(at: stub.address).reloading()
    let lines = stub.receive().split(separator: "\n")
    let after = monotonicMicroseconds()
    #expect(lines.first == "RELOADING=1")
    let told = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
    #expect((before...after).contains(told))
  }

  @Test func aStoredDescriptorArrivesAsACopy() throws {
    let stub = try StubManager()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    ServiceManager(at: stub.address).store(descriptor: ends[1], name: "events-1000")
    let (message, descriptor) = stub.receiveWithDescriptor()
    #expect(message == "FDSTORE=1\nFDNAME=events-1000\nFDPOLL=0")
    let copy = try #require(descriptor)
    defer { close(copy) }
    #expect(write(copy, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
  }

  @Test func aStatusThatReplacesTheOneThatWaitsIsNotBehindAnew() throws {
    let stub = try StubManager()
    let manager = ServiceManager(at: stub.address)
    var behind = 0
    manager.onBehind = { behind += 1 }
    while manager.waitingCount == 0 { manager.status("sent") }
    for _ in 0..<3 { manager.status("again") }
    #expect(manager.waitingCount == 1 && behind == 1)
  }

  @Test func whatTheManagerDoesNotReadWaitsInItsOrderAndKeepsNobody() throws {
    let stub = try StubManager()
    let manager = ServiceManager(at: stub.address)
    var behind = 0
    manager.onBehind = { behind += 1 }
    var taken = 0
    while manager.waitingCount == 0 {
      manager.removeStored(name: "\(taken)")
      taken += 1
    }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for _ in 0..<3 {
      manager.status("early")
      manager.watchdog()
    }
    #expect(behind == 1)
    manager.store(descriptor: ends[1], name: "kept")
    // What is to be stored is the caller's to close.
    ends.forEach { close($0) }
    manager.status("late")
    #expect(manager.waitingCount == 4 && behind == 1)
    #expect(!manager.flush() && !manager.flush(timeout: .zero))

    var heard: [String] = []
    while heard.count < taken + 3 {
      heard.append(stub.receive())
      manager.flush()
    }
    #expect(heard[..<taken].elementsEqual((0..<taken).map { "FDSTOREREMOVE=1\nFDNAME=\($0)" }))
    #expect(
      heard[taken...] == ["WATCHDOG=1", "FDSTORE=1\nFDNAME=kept\nFDPOLL=0", "STATUS=late"])
    #expect(manager.waitingCount == 0 && manager.flush(timeout: .zero))
    manager.watchdog()
    #expect(stub.receive() == "WATCHDOG=1" && behind == 1)
  }

  @Test func noMoreWaitsThanItsLimit() throws {
    let stub = try StubManager()
    let manager = ServiceManager(at: stub.address)
    var taken = 0
    while manager.waitingCount == 0 {
      manager.stopping()
      taken += 1
    }
    for _ in 0..<ServiceManager.waitingLimit { manager.stopping() }
    #expect(manager.waitingCount == ServiceManager.waitingLimit)
    for _ in 0..<taken - 1 + ServiceManager.waitingLimit {
      #expect(stub.receive() == "STOPPING=1")
      manager.flush()
    }
    #expect(manager.waitingCount == 0)
  }

  @Test func aManagerThatCameAnewIsFoundAndOneThatWentIsNotWaitedFor() throws {
    let address = try StubManager().address
    let manager = ServiceManager(at: address)
    manager.status("to nobody")
    #expect(manager.waitingCount == 0)
    let stub = try StubManager(at: address)
    manager.status("to the next")
    #expect(stub.receive() == "STATUS=to the next")
  }

  @Test func anAssignmentWithANewlineIsLeftOut() throws {
    let stub = try StubManager()
    let manager = ServiceManager(at: stub.address)
    manager.ready(status: "a\nMAINPID=1")
    #expect(stub.receive() == "READY=1")
    manager.status("a\nMAINPID=1")
    manager.stopping()
    #expect(stub.receive() == "STOPPING=1")
  }

  @Test(arguments: [nil, "", "vsock:2:9000", "@" + String(repeating: "x", count: 200)])
  func nothingHappensWithoutAManager(_ address: String?) throws {
    let manager = ServiceManager(at: address)
    manager.ready(status: "")
    manager.store(descriptor: STDERR_FILENO, name: "x")
    #expect(manager.waitingCount == 0)
    #expect(ServiceManager.watchdogInterval == nil)
    #expect(try ServiceManager.listenDescriptors().isEmpty)
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

  @Test func descriptorsForAnotherProcessAreLeftAlone() throws {
    setenv("LISTEN_PID", "1", 1)
    setenv("LISTEN_FDS", "1", 1)
    #expect(try ServiceManager.listenDescriptors().isEmpty)
    #expect(getenv("LISTEN_FDS") == nil)
  }

  @Test func descriptorsThatAreNotThereAreAnError() {
    for (count, error) in [("abc", EINVAL), ("-1", EINVAL), ("100000", EBADF)] {
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", count, 1)
      #expect { try ServiceManager.listenDescriptors() } throws: {
        ($0 as? ListenDescriptorsError)?.systemError == error
      }
    }
  }

  private func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
