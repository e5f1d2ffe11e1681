import Glibc
import Testing
import Varlink

private func echo(_ text: String) -> String {
  #"{"method":"org.example.echo.Echo","parameters":{"text":"\#(text)"}}"#
}

private let onewayEcho =
  #"{"method":"org.example.echo.Echo","parameters":{"text":"x"},"oneway":true}"#

private func echoed(_ text: String) -> String {
  #"{"parameters":{"text":"\#(text)"}}"#
}

@Suite(.timeLimit(.minutes(10))) struct ServerLoadTests {
  /// A call that is answered by far more bytes than it has, so that its client must read.
  private static let long = Array(
    #"{"method":"org.example.echo.Repeat","parameters":{"text":"0123456789","times":500}}"#.utf8)
  private static let longReply = echoed(String(repeating: "0123456789", count: 500))

  /// Sends long calls until the server takes no more, though it goes on serving everyone else.
  ///
  /// - Returns: how many bytes of calls were sent.
  private func flood(_ socket: borrowing RawSocket, of server: TestServer) throws -> Int {
    let frame = Self.long + [0]
    let plenty = 20_000 * frame.count
    var sent = 0
    var fullRounds = 0
    let other = try server.connect()
    var others = FrameStream()
    while fullRounds < 3, sent < plenty {
      let more = socket.sendUntilFull(frame, from: sent)
      fullRounds = more == 0 ? fullRounds + 1 : 0
      sent += more
      try other.send(frames: [echo("x")])
      #expect(try others.next(from: other) == echoed("x"))
    }
    #expect(sent < plenty)
    return sent
  }

  @Test func stopsReadingFromOneWhoDoesNotRead() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      let sent = try flood(socket, of: server)
      let frame = Self.long + [0]
      var frames = FrameStream()
      for _ in 0..<sent / frame.count {
        #expect(try frames.next(from: socket) == Self.longReply)
      }
      try socket.send(Array(frame[(sent % frame.count)...]))
      try socket.send(frames: [echo("last")])
      socket.endSending()
      #expect(try frames.rest(from: socket) == [Self.longReply, echoed("last")])
    }
  }

  /// The kernel keeps it in the server's memory, and in nobody's account.
  @Test func ofWhatOneDoesNotReadTheKernelKeepsLittle() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      _ = try flood(socket, of: server)
      var kept: CInt = 0
      #expect(ioctl(socket.descriptor, UInt(FIONREAD), &kept) == 0)
      // Twice what SO_SNDBUF was set to, and one more buffer, which may begin just below that (`unix_stream_sendmsg`).
      #expect((1...96 << 10).contains(kept))
    }
  }

  @Test func answersEverythingToOneWhoEndsHisSideBeforeHeReads() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      let sent = try flood(socket, of: server)
      socket.endSending()
      var frames = FrameStream()
      let replies = try frames.rest(from: socket)
      #expect(replies.count == sent / (Self.long.count + 1))
      #expect(replies.allSatisfy { $0 == Self.longReply })
    }
  }

  @Test func ofOneWhoGoesWithoutReadingOnlyOnewayCallsAreStillTaken() async throws {
    try await TestServer.run { server in
      let calls: Int
      do {
        let socket = try server.connect()
        calls = try flood(socket, of: server) / (Self.long.count + 1)
      }
      await server.allClosed()
      let handled = try await server.with { $0.service.handled }
      // Those that had been answered before it went; not those that waited for it to read.
      #expect(handled["Repeat", default: 0] < calls)
    }
  }

  @Test func takesEveryOnewayCallOfOneWhoGoesAtOnce() async throws {
    try await TestServer.run { server in
      do {
        let socket = try server.connect()
        for _ in 0..<100 {
          try socket.send(frames: [String](repeating: onewayEcho, count: 100))
        }
      }
      await server.allClosed()
      #expect(try await server.with { $0.service.handled["Echo"] } == 10_000)
    }
  }

  @Test func servesNoneWhoHasGoneWithoutACallBeforeHeIsAccepted() async throws {
    try await TestServer.run { server in
      // They come and go while the server does something else.
      try await server.with { _ in
        for _ in 0..<100 { _ = try server.connect() }
        for _ in 0..<100 { try server.connect().send(Array(#"{"method":"#.utf8)) }
        try server.connect().send(frames: [onewayEcho])
      }
      await server.allClosed()
      let (peers, echoes) = try await server.with {
        ($0.service.peers.count, $0.service.handled["Echo"])
      }
      #expect(peers == 1 && echoes == 1)
    }
  }

  @Test func takesOnewayCallsOfOneWhoReadsNoMoreUntilHeEnds() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      #expect(shutdown(socket.descriptor, CInt(SHUT_RD)) == 0)
      // What cannot be sent tells the server.
      try socket.send(frames: [echo("x")])
      for _ in 0..<100 { try socket.send(frames: [String](repeating: onewayEcho, count: 100)) }
      socket.endSending()
      await server.allClosed()
      #expect(try await server.with { $0.service.handled["Echo"] } == 10_001)
    }
  }

  @Test func oneWithMuchToDoKeepsNobodyWaitingForAll() async throws {
    try await TestServer.run { server in
      let busy = try server.connect()
      let other = try server.connect()
      var busys = FrameStream()
      var others = FrameStream()
      let spin = #"{"method":"org.example.echo.Spin","parameters":{"microseconds":1000}}"#
      try busy.send(frames: [echo("hello")])
      try other.send(frames: [echo("hello")])
      #expect(try busys.next(from: busy) == echoed("hello"))
      #expect(try others.next(from: other) == echoed("hello"))
      // Both have come before the server looks again, and each call is as long as a turn.
      let (busyEnd, otherEnd) = (busy.descriptor, other.descriptor)
      try await server.with { state in
        let spins = Array([String](repeating: spin, count: 40).joined(separator: "\0").utf8) + [0]
        let short = Array(echo("short").utf8) + [0]
        #expect(send(busyEnd, spins, spins.count, 0) == spins.count)
        #expect(send(otherEnd, short, short.count, 0) == short.count)
        state.service.spinsBeforeEcho = nil
      }
      #expect(try others.next(from: other) == echoed("short"))
      for _ in 0..<40 { #expect(try busys.next(from: busy) == #"{"parameters":{}}"#) }
      let spins = try #require(try await server.with { $0.service.spinsBeforeEcho })
      #expect(spins < 20)
    }
  }

  @Test func leavesAStreamWhoseClientReadsNoMore() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      #expect(shutdown(socket.descriptor, CInt(SHUT_RD)) == 0)
      try socket.send(frames: [
        #"{"method":"org.example.echo.Stream","parameters":{"frames":100000},"more":true}"#
      ])
      // Its own end is open: that nobody reads is noticed by sending.
      await server.allClosed()
      #expect(try await server.with { $0.service.handled["Stream"] } == 1)
    }
  }

  @Test func wholeCallsThatWaitForAClientToReadAreNoUnfinishedFrames() async throws {
    // Sixteen frames of the limit are less than what waits.
    try await TestServer.run(frameLimit: 200) { server in
      var floods: [(box: SocketBox, sent: Int)] = []
      for _ in 0..<3 {
        let box = SocketBox(try server.connect())
        floods.append((box, try flood(box.socket, of: server)))
      }
      for (box, sent) in floods {
        box.socket.endSending()
        var frames = FrameStream()
        #expect(try frames.rest(from: box.socket).count == sent / (Self.long.count + 1))
      }
      #expect(try await server.with { $0.service.rejections } == [])
    }
  }

  @Test func dropsWhatComesIntoAStreamThatBeganAfterAPause() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      // In one read, and with more replies than may wait.
      let calls = [[UInt8]](repeating: Self.long + [0], count: 500).flatMap(\.self)
      let hold = #"{"method":"org.example.echo.Hold","more":true}"#
      try socket.send(calls + Array("\(hold)\0".utf8))
      var frames = FrameStream()
      for _ in 0..<500 { #expect(try frames.next(from: socket) == Self.longReply) }
      // More than the socket holds: it waits for ever where nobody reads.
      try socket.send([UInt8](repeating: 1, count: 4 << 20))
      socket.endSending()
      #expect(try await server.with { $0.service.handled["Hold"] } == 1)
    }
  }

  @Test func sendsAStreamOnlyAsFastAsItIsRead() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      let count = 100_000
      try socket.send(frames: [
        #"{"method":"org.example.echo.Stream","parameters":{"frames":\#(count)},"more":true}"#
      ])
      var frames = FrameStream()
      var isInOrder = true
      for number in 0..<count {
        let frame = try frames.next(from: socket)
        isInOrder = isInOrder && frame == #"{"continues":true,"parameters":{"n":\#(number)}}"#
      }
      #expect(isInOrder)
      #expect(try frames.next(from: socket) == nil)
    }
  }

  @Test func sendsALongReplyWhole() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [
        #"{"method":"org.example.echo.Repeat","parameters":{"text":"日本語","times":500000}}"#,
        echo("next"),
      ])
      var frames = FrameStream()
      #expect(
        try frames.next(from: socket) == echoed(String(repeating: "日本語", count: 500_000)))
      #expect(try frames.next(from: socket) == echoed("next"))
    }
  }

  @Test func servesManyConnectionsAndRefusesThoseBeyondTheLimit() async throws {
    try await TestServer.run(connectionLimit: 60) { server in
      // Both ends are this process's, which has 1,024 descriptors at least, for all tests that run meanwhile.
      var sockets: [SocketBox] = []
      for number in 0..<60 {
        let box = SocketBox(try server.connect())
        try box.socket.send(frames: [echo("\(number)")])
        sockets.append(box)
      }
      for (number, box) in sockets.enumerated() {
        #expect(try box.next() == echoed("\(number)"))
      }
      #expect(try await server.with { $0.server.connectionCount } == 60)
      for _ in 0..<3 {
        #expect(try SocketBox(try server.connect()).next() == nil)
      }
      let refused = try await server.with { $0.service.refused }
      #expect(refused.map(\.peer.processID) == Array(repeating: getpid(), count: 3))
      #expect(refused.allSatisfy { $0.reason == .tooMany(limit: 60) })

      try await server.with { $0.server.connectionLimit = 150 }
      for number in 60..<150 {
        let box = SocketBox(try server.connect())
        try box.socket.send(frames: [echo("\(number)")])
        #expect(try box.next() == echoed("\(number)"))
        sockets.append(box)
      }
      #expect(try SocketBox(try server.connect()).next() == nil)
      sockets = []
      await server.allClosed()
      let box = SocketBox(try server.connect())
      try box.socket.send(frames: [echo("again")])
      #expect(try box.next() == echoed("again"))
    }
  }

  private final class SocketBox {
    let socket: RawSocket
    private var frames = FrameStream()

    init(_ socket: consuming RawSocket) {
      self.socket = socket
    }

    func next() throws -> String? { try frames.next(from: socket) }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ServerShutdownTests {
  @Test func answersWhatHasArrivedAndCloses() async throws {
    try await TestServer.run { server in
      let idle = try server.connect()
      let busy = try server.connect()
      let texts = (0..<3000).map { "\($0)" }
      // So that the server has accepted both.
      var idles = FrameStream()
      var frames = FrameStream()
      try idle.send(frames: [echo("hello")])
      try busy.send(frames: [echo("hello")])
      #expect(try idles.next(from: idle) == echoed("hello"))
      #expect(try frames.next(from: busy) == echoed("hello"))

      try busy.send(frames: texts.map(echo))
      let stopped = server.beginShutDown(within: .seconds(3600))
      // The server is stopping; and it goes on only as replies are read, where many small ones have
      // filled the socket.
      try await server.with { _ in }
      #expect(try frames.rest(from: busy) == texts.map(echoed))
      await stopped()
      #expect(try idles.next(from: idle) == nil)
      #expect(throws: RawSocket.Failure.self) { _ = try server.connect() }
    }
  }

  /// A byte out of band is never read, and counts as one that has come.
  @Test func whatCannotBeReadHoldsUpNoStop() async throws {
    try await TestServer.run { server in
      let odd = try server.connect()
      var frames = FrameStream()
      try odd.sendOutOfBand(UInt8(ascii: "!"))
      try odd.send(frames: [echo("hello")])
      #expect(try frames.next(from: odd) == echoed("hello"))
      try odd.sendOutOfBand(UInt8(ascii: "!"))
      await server.shutDown(within: .seconds(3600))
      #expect(try frames.next(from: odd) == nil)
    }
  }

  @Test func whoTakesNothingHoldsUpNoStop() async throws {
    try await TestServer.run { server in
      let stuck = try server.connect()
      let text = String(repeating: "a", count: 10_000)
      try stuck.send(frames: Array(repeating: echo(text), count: 20))
      // The kernel keeps fewer replies for it.
      try await server.with { _ in }
      await server.shutDown(within: .seconds(3600))
    }
  }

  @Test func leavesStreamsToTheHandlerUntilTheDeadline() async throws {
    try await TestServer.run { server in
      let kept = try server.connect()
      let cut = try server.connect()
      var keeps = FrameStream()
      var cuts = FrameStream()
      let hold = #"{"method":"org.example.echo.Hold","more":true}"#
      try kept.send(frames: [echo("kept"), hold])
      #expect(try keeps.next(from: kept) == echoed("kept"))
      try cut.send(frames: [echo("cut"), hold])
      #expect(try cuts.next(from: cut) == echoed("cut"))

      let stopped = server.beginShutDown(within: .seconds(3600))
      // The handler sends what is left for the first one and closes it.
      try await server.with { state in
        var encoder = VarlinkFrameEncoder()
        let connection = state.service.open[0]
        connection.send(frame: encoder.reply(continues: false) { _ in })
        connection.close()
      }
      #expect(try keeps.rest(from: kept) == [#"{"parameters":{}}"#])
      #expect(try await server.with { $0.server.connectionCount } == 1)
      await server.shutDown(within: .zero)
      await stopped()
      #expect(try cuts.next(from: cut) == nil)
    }
  }
}
