import AsyncVarlink
import Glibc
import JSON
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct ClientFailureTests {
  /// Lets a client call, and gives the other end what a service would have to answer.
  ///
  /// - Returns: what the call threw.
  private func failure(
    frameLimit: Int = 1 << 20, answering bytes: [UInt8]
  ) async throws -> VarlinkConnectionError? {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let path = folder.path + "/socket"
      let listener = try RawSocket.listening(at: path)
      let client = try await VarlinkClient.connect(to: path, frameLimit: frameLimit)
      let service = try listener.accepted()
      let task = Task { try await client.call("a.b.C") { _ in } }
      var frames = FrameStream()
      #expect(try frames.next(from: service) == #"{"method":"a.b.C","parameters":{}}"#)
      try service.send(bytes)
      service.endSending()
      do {
        try await task.value
        return nil
      } catch let error as VarlinkConnectionError {
        // Every later call says the same.
        let again = await #expect(throws: VarlinkConnectionError.self) {
          try await client.call("a.b.C") { _ in }
        }
        #expect(again == error)
        await client.close()
        return error
      }
    }
  }

  @Test(arguments: [
    "", "{\"parameters\":{}}", "{\"parameters\":",
  ])
  func theConnectionEndsBeforeTheReplyDoes(_ text: String) async throws {
    #expect(try await failure(answering: Array(text.utf8))?.code == .connectionLost)
  }

  @Test(arguments: [
    "", "nonsense", "[]", "7", #"{"parameters":[]}"#, #"{"parameters":{},"more":1}"#,
    #"{"error":1}"#, #"{"continues":1}"#, #"{"continues":true,"parameters":{}}"#,
  ])
  func whatComesIsNoReply(_ text: String) async throws {
    #expect(try await failure(answering: Array(text.utf8) + [0])?.code == .notAReply)
  }

  @Test(arguments: ["{}", #"{"parameters":null}"#, #" { "continues" : false } "#])
  func whatComesIsTheLeastThatAReplyCanBe(_ text: String) async throws {
    #expect(try await failure(answering: Array(text.utf8) + [0]) == nil)
  }

  @Test func theReplyIsLongerThanTheClientAllows() async throws {
    let reply = Array("{\"parameters\":{}}".utf8)
    #expect(try await failure(frameLimit: reply.count, answering: reply + [0]) == nil)
    let error = try await failure(frameLimit: reply.count - 1, answering: reply + [0])
    #expect(error?.code == .replyTooLarge(limit: reply.count - 1))
  }

  @Test func aReplyThatNobodyAskedForEndsTheConnection() async throws {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let listener = try RawSocket.listening(at: folder.path + "/socket")
      let client = try await VarlinkClient.connect(to: folder.path + "/socket")
      let service = try listener.accepted()
      try service.send(frames: ["{}"])
      // The client has closed.
      #expect(try service.receive() == [])
      let error = await #expect(throws: VarlinkConnectionError.self) {
        try await client.call("a.b.C") { _ in }
      }
      #expect(error?.code == .notAReply)
    }
  }

  /// Cancelled calls, as those are whose deadline passes, wait for their replies all the same.
  @Test func ofAServiceThatHangsNoMoreRepliesAreWaitedForThanMayBe() async throws {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let listener = try RawSocket.listening(at: folder.path + "/socket")
      let client = try await VarlinkClient.connect(to: folder.path + "/socket")
      let service = try listener.accepted()
      var frames = FrameStream()
      for _ in 0..<1_024 {
        let task = Task { try await client.call("a.b.C") { _ in } }
        // It was sent.
        _ = try frames.next(from: service)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      await #expect(throws: VarlinkConnectionError(.tooManyCalls(limit: 1_024))) {
        try await client.call("a.b.C") { _ in }
      }
      await client.close()
    }
  }

  @Test func aServiceThatReadsNothingIsSentNoMoreThanMayWait() async throws {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let listener = try RawSocket.listening(at: folder.path + "/socket")
      let client = try await VarlinkClient.connect(to: folder.path + "/socket")
      let service = try listener.accepted()
      @Sendable func write(_ count: Int, to writer: inout JSONWriter) {
        writer.name("text")
        writer.string(String(repeating: "a", count: count))
      }
      #expect(throws: VarlinkConnectionError(.tooMuchUnsent(limit: 1 << 20))) {
        for _ in 0..<1_000 { try client.callOneway("a.b.C") { write(1 << 16, to: &$0) } }
      }
      await #expect(throws: VarlinkConnectionError(.tooMuchUnsent(limit: 16 << 20))) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<24 {
            group.addTask {
              try await client.call("a.b.C", { write(1 << 20, to: &$0) }, decode: { _ in })
            }
          }
          // The others are sent, and never answered.
          try await group.next()
        }
      }
      #expect(client.isConnected)
      _ = consume service
      await client.close()
    }
  }

  @Test func callsThatWaitThrowWhenTheClientIsClosed() async throws {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let listener = try RawSocket.listening(at: folder.path + "/socket")
      let client = try await VarlinkClient.connect(to: folder.path + "/socket")
      let service = try listener.accepted()
      let task = Task { try await client.call("a.b.C") { _ in } }
      var frames = FrameStream()
      _ = try frames.next(from: service)
      await client.close()
      await #expect(throws: VarlinkConnectionError(.connectionLost)) { try await task.value }
    }
  }

  @Test func saysWhyItCannotConnect() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    let missing = await #expect(throws: VarlinkConnectionError.self) {
      _ = try await VarlinkClient.connect(to: path)
    }
    #expect(missing == VarlinkConnectionError(.cannotConnect, systemError: ENOENT))
    #expect(missing?.description == "cannot connect: No such file or directory")
    do { _ = try RawSocket.listening(at: path) }
    let deserted = await #expect(throws: VarlinkConnectionError.self) {
      _ = try await VarlinkClient.connect(to: path)
    }
    #expect(deserted == VarlinkConnectionError(.cannotConnect, systemError: ECONNREFUSED))
    let long = await #expect(throws: VarlinkConnectionError.self) {
      _ = try await VarlinkClient.connect(to: String(repeating: "x", count: 200))
    }
    #expect(long == VarlinkConnectionError(.cannotConnect, systemError: ENAMETOOLONG))
  }

  /// The system's own limit, and not SwiftNIO's.
  @Test func connectsToThePathsThatServicesListenAt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/" + String(repeating: "x", count: 106 - folder.path.utf8.count)
    let listener = try RawSocket.listening(at: path)
    defer { unlink(path) }
    let client = try await VarlinkClient.connect(to: path)
    #expect(client.isConnected)
    await client.close()
    _ = consume listener
  }
}
