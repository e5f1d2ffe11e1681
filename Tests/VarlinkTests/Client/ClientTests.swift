import AsyncVarlink
import NIOCore
import NIOPosix
import Testing
import JSON
import Varlink

private func text(_ value: String) -> (inout JSONWriter) -> Void {
  { writer in
    writer.name("text")
    writer.string(value)
  }
}

private let echoMethod = "org.example.echo.Echo"

/// Whether the client can still be used.
private func expectEcho(_ client: VarlinkClient, _ value: String) async throws {
  let reply = try await client.call(echoMethod, text(value)) { $0["text"].string }
  #expect(reply == value)
}

@Suite(.timeLimit(.minutes(10))) struct ClientTests {
  private func withClient(
    _ body: @Sendable (VarlinkClient, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run { server in
      let client = try await VarlinkClient.connect(to: server.path)
      try await body(client, server)
      await client.close()
    }
  }

  @Test func callsAndReadsTheReply() async throws {
    try await withClient { client, _ in
      let reply = try await client.call(echoMethod, text("あ\n\"")) { $0["text"].string }
      #expect(reply == "あ\n\"")
    }
  }

  @Test func throwsAnErrorReplyWithItsParameters() async throws {
    try await withClient { client, _ in
      let error = await #expect(throws: VarlinkErrorReply.self) {
        try await client.call(echoMethod) { _ in }
      }
      #expect(error?.name == "org.varlink.service.InvalidParameter")
      #expect(error?.withParameters { $0["parameter"].string } == "text")
      let expectedMore = await #expect(throws: VarlinkErrorReply.self) {
        try await client.call("org.example.echo.Count") { _ in }
      }
      #expect(expectedMore?.parameters == Array("{}".utf8))
    }
  }

  @Test func throwsWhatDecodingThrowsAndGoesOn() async throws {
    struct Unreadable: Error {}
    try await withClient { client, _ in
      await #expect(throws: Unreadable.self) {
        try await client.call(echoMethod, text("x")) { _ in throw Unreadable() }
      }
      try await expectEcho(client, "y")
    }
  }

  @Test func answersABatchInOrderErrorsAmongThem() async throws {
    try await withClient { client, _ in
      var batch = VarlinkCallBatch()
      #expect(try await client.call(batch) { _ in 1 } == [])
      for round in 0..<2 {
        for number in 0..<1000 {
          if number % 10 == 3 {
            batch.append("org.nowhere.At") { _ in }
          } else {
            batch.append(echoMethod, text("\(round)-\(number)"))
          }
        }
        #expect(batch.count == 1000)
        let replies = try await client.call(batch) { reply -> String in
          switch reply {
          case .success(let parameters): parameters["text"].string ?? "no text"
          case .failure(let error): error.name
          }
        }
        #expect(
          replies
            == (0..<1000).map {
              $0 % 10 == 3 ? "org.varlink.service.InterfaceNotFound" : "\(round)-\($0)"
            })
        batch.removeAll()
      }
    }
  }

  @Test func manyTasksCallAtATime() async throws {
    try await withClient { client, _ in
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<500 {
          group.addTask {
            try await client.call(echoMethod, text("\(number)")) {
              $0["text"].string == "\(number)" ? 1 : 0
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(sum == 500)
    }
  }

  @Test func onewayCallsGetNoReply() async throws {
    try await withClient { client, _ in
      try client.callOneway(echoMethod, text("dropped"))
      try client.callOneway("org.nowhere.At")
      try await expectEcho(client, "next")
    }
  }

  @Test func aStreamThatEndsLeavesTheConnectionFree() async throws {
    try await withClient { client, _ in
      for count in [1, 5000] {
        var numbers: [Int?] = []
        let replies = try client.stream("org.example.echo.Count") { writer in
          writer.name("to")
          writer.integer(count)
        } decode: {
          $0["n"].integer
        }
        for try await number in replies { numbers.append(number) }
        #expect(numbers == Array(1...count))
        try await expectEcho(client, "free")
      }
    }
  }

  @Test func aStreamThatIsNotReadIsNotSent() async throws {
    try await TestServer.run { server in
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      let client = try await VarlinkClient.connect(to: server.path, on: loop)
      let count = 1_000_000
      let replies = try client.stream("org.example.echo.Stream") { writer in
        writer.name("frames")
        writer.integer(count)
      } decode: {
        $0["n"].integer
      }
      var iterator = replies.makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first == 0)
      // It stands still once what lies between the two is full, though both of their loops go on:
      // another client's calls, on the same loops, are answered.
      let other = try await VarlinkClient.connect(to: server.path, on: loop)
      var (streamed, unchanged) = ([0], 0)
      while unchanged < 100 {
        try await expectEcho(other, "x")
        let now = try await server.with { $0.service.streamed }
        unchanged = now == streamed ? unchanged + 1 : 0
        streamed = now
      }
      #expect(streamed.first.map { $0 < count } == true)
      for number in 1..<20_000 {
        let next = try await iterator.next()
        guard next == number else {
          Issue.record("\(number) is missing")
          break
        }
      }
    }
  }

  @Test func leavingAStreamClosesTheConnection() async throws {
    try await withClient { client, server in
      let replies = try client.stream("org.example.echo.Stream") { writer in
        writer.name("frames")
        writer.integer(1_000_000)
      } decode: {
        $0["n"].integer
      }
      var seen = 0
      for try await number in replies {
        #expect(number == seen)
        seen += 1
        if seen == 5000 { break }
      }
      await server.allClosed()
    }
  }

  @Test func aStreamThrowsTheErrorThatItIsAnsweredWith() async throws {
    try await withClient { client, _ in
      var replies = try client.stream("org.example.echo.Missing", decode: { _ in })
        .makeAsyncIterator()
      let error = await #expect(throws: VarlinkErrorReply.self) { try await replies.next() }
      #expect(error?.name == "org.varlink.service.MethodNotFound")
      try await expectEcho(client, "free")
    }
  }

  /// The service goes on with a stream that nobody reads, which only the connection's end ends.
  @Test func aStreamWithAReplyThatCannotBeReadThrowsAndClosesTheConnection() async throws {
    struct Unreadable: Error {}
    try await withClient { client, server in
      var replies = try client.stream("org.example.echo.Stream") { writer in
        writer.name("frames")
        writer.integer(1_000_000)
      } decode: {
        guard let number = $0["n"].integer, number < 3 else { throw Unreadable() }
        return number
      }.makeAsyncIterator()
      for number in 0..<3 {
        let next = try await replies.next()
        #expect(next == number)
      }
      await #expect(throws: Unreadable.self) { try await replies.next() }
      await server.allClosed()
      // The service may see the connection's end before the client's loop has noted it; this call comes after that.
      await #expect(throws: VarlinkConnectionError.self) { try await expectEcho(client, "late") }
      #expect(!client.isConnected)
    }
  }

  @Test func aLastReplyThatCannotBeReadLeavesTheConnectionFree() async throws {
    struct Unreadable: Error {}
    try await withClient { client, _ in
      var replies = try client.stream(echoMethod, text("x")) { _ in throw Unreadable() }
        .makeAsyncIterator()
      await #expect(throws: Unreadable.self) { try await replies.next() }
      try await expectEcho(client, "free")
    }
  }

  @Test func cancellingAStreamClosesTheConnection() async throws {
    try await withClient { client, server in
      let replies = try client.stream("org.example.echo.Hold", decode: { _ in })
      let task = Task {
        for try await _ in replies {}
      }
      task.cancel()
      _ = await task.result
      await server.allClosed()
    }
  }

  @Test func aCancelledCallThrowsAndTheNextOneGetsItsOwnReply() async throws {
    try await withClient { client, _ in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.call(echoMethod, text("cancelled")) { $0["text"].string }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      try await expectEcho(client, "next")
    }
  }

  @Test func letsGoOfTheConnectionWhenNobodyHoldsTheClient() async throws {
    try await TestServer.run { server in
      do {
        let client = try await VarlinkClient.connect(to: server.path)
        _ = try await client.call(echoMethod, text("x")) { _ in }
      }
      await server.allClosed()
    }
  }
}
