import Testing
import Varlink

private let due = #"{"parameters":{"text":"due"}}"#
private let call = #"{"method":"org.example.echo.Echo","parameters":{"text":"due"}}"#

@Suite(.timeLimit(.minutes(10))) struct ServerBadInputTests {
  private static let notJSON: [String] = [
    "{\"method\":", "garbage", "", #"{"method":"a.b","parameters":{"t":"\ud800"}}"#,
    #"{"method":"a.b.C"} {}"#, #"{"method":"a.b.C","method":"a.b.C"}"#,
    #"{"method":"a.b.C","parameters":{"x":1,"x":1}}"#, String(repeating: "[", count: 100_000),
    // Right up to where the parameters end, or begin.
    String(call.dropLast()), call + "}", call.dropLast() + ",}", call.dropLast() + " ]",
    #"{"method":"org.example.echo.Echo","parameters":"#,
    #"{"method":"org.example.echo.Echo","parameters":}"#,
    #"{"method":"org.example.echo.Echo","parameters":{"text":"due","text":"due"}}"#,
  ]

  private static let notUTF8: [[UInt8]] = [
    [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE3, 0x81],
  ]
  .flatMap { wrong in
    [
      #"{"method":"a.b.C","parameters":{"t":""#,
      #"{"method":"org.example.echo.Echo","parameters":{"text":""#,
    ]
    .map { Array($0.utf8) + wrong + Array(#""}}"#.utf8) }
  }

  private static let notACall: [(String, CallMistake)] = [
    ("[]", .notAnObject), ("\"org.example.echo.Echo\"", .notAnObject), ("null", .notAnObject),
    ("{}", .noMethod), (#"{"parameters":{}}"#, .noMethod),
    (#"{"method":1}"#, .type(of: "method")), (#"{"method":null}"#, .type(of: "method")),
    (#"{"method":"a.b.C","parameters":[]}"#, .type(of: "parameters")),
    (#"{"method":"a.b.C","more":1}"#, .type(of: "more")),
    (#"{"method":"a.b.C","more":null}"#, .type(of: "more")),
    (#"{"method":"a.b.C","oneway":"true"}"#, .type(of: "oneway")),
    (#"{"method":"a.b.C","upgrade":{}}"#, .type(of: "upgrade")),
    (#"{"method":"a.b.C","unknown":1}"#, .unknownMember),
    (#"{"method":"a.b.C","more":true,"oneway":true}"#, .moreAndOneway),
  ]

  @Test(arguments: notJSON.map { Array($0.utf8) } + notUTF8)
  func whatIsNotJSONEndsTheConnection(_ frame: [UInt8]) async throws {
    try await endsTheConnectionAfterTheRepliesDue(frame) { reason in
      if case .notJSON = reason { true } else { false }
    }
  }

  @Test(arguments: notACall)
  func whatIsNoCallEndsTheConnection(_ frame: String, _ mistake: CallMistake) async throws {
    try await endsTheConnectionAfterTheRepliesDue(Array(frame.utf8)) { $0 == .notACall(mistake) }
  }

  private func endsTheConnectionAfterTheRepliesDue(
    _ frame: [UInt8], because isReason: @Sendable (FrameRejection) -> Bool
  ) async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [call])
      try socket.send(frame + [0] + Array("\(call)\0".utf8))
      var frames = FrameStream()
      #expect(try frames.rest(from: socket) == [due])
      await server.allClosed()
      let rejections = try await server.with { $0.service.rejections }
      #expect(rejections.count == 1 && rejections.allSatisfy(isReason), "\(rejections)")
    }
  }

  @Test func takesAFrameOfTheLimitAndNotOneByteMore() async throws {
    try await TestServer.run(frameLimit: 1000) { server in
      let padding = String(repeating: " ", count: 1000 - call.utf8.count)
      let fitting = try server.connect()
      var frames = FrameStream()
      try fitting.send(frames: [call + padding, call])
      #expect(try frames.next(from: fitting) == due)
      #expect(try frames.next(from: fitting) == due)

      // In one read, and without an end.
      for tooLong in [call + padding + " \0", String(repeating: "x", count: 1001)] {
        let socket = try server.connect()
        var frames = FrameStream()
        try socket.send(frames: [call])
        try socket.send(Array(tooLong.utf8))
        #expect(try frames.rest(from: socket) == [due])
      }
      #expect(
        try await server.with { $0.service.rejections } == [
          .tooLarge(limit: 1000), .tooLarge(limit: 1000),
        ])

      try await server.with { $0.server.frameLimit = 1001 }
      try fitting.send(frames: [call + padding + " "])
      #expect(try frames.next(from: fitting) == due)
    }
  }

  @Test func aFloodOfNULsEndsItsConnectionOnly() async throws {
    try await TestServer.run { server in
      let other = try server.connect()
      let socket = try server.connect()
      // The server may have closed before all of it is sent.
      _ = socket.sendUntilFull([UInt8](repeating: 0, count: 1 << 16))
      var frames = FrameStream()
      #expect(try frames.rest(from: socket) == [])
      let rejections = try await server.with { $0.service.rejections }
      #expect(
        rejections.map(\.description) == ["it sent what is not JSON: it ends too early at byte 1"])
      try other.send(frames: [call])
      var others = FrameStream()
      #expect(try others.next(from: other) == due)
    }
  }

  @Test func whoHoardsUnfinishedFramesEndsAndNobodyElse() async throws {
    try await TestServer.run(frameLimit: 10_000) { server in
      let honest = try server.connect()
      var frames = FrameStream()
      var hoarders: [Hoarder] = []
      var rejections: [FrameRejection] = []
      // Sixteen frames of the limit may be unfinished, each with a read's bytes.
      while rejections.isEmpty, hoarders.count < 200 {
        hoarders.append(try Hoarder(server))
        try honest.send(Array(call.utf8.prefix(20)))
        try honest.send(Array(call.utf8.dropFirst(20)) + [0])
        #expect(try frames.next(from: honest) == due)
        rejections = try await server.with { $0.service.rejections }
      }
      #expect(rejections == [.tooMuchUnfinished])
      // The honest one is there, and all but the one that asked for too much.
      #expect(try await server.with { $0.server.connectionCount } == hoarders.count)
    }
  }

  /// Sends nearly a whole frame of 10,000 bytes, and waits until it has been read.
  private final class Hoarder {
    let socket: RawSocket

    init(_ server: TestServer) throws {
      socket = try server.connect()
      try socket.send(frames: [call])
      var frames = FrameStream()
      #expect(try frames.next(from: socket) == due)
      try socket.send([UInt8](repeating: 32, count: 9_900))
    }
  }

  @Test func halfAFrameAndSilenceKeepsNobodyWaiting() async throws {
    try await TestServer.run { server in
      let silent = try server.connect()
      try silent.send(Array(call.utf8.prefix(20)))
      for _ in 0..<20 {
        let socket = try server.connect()
        var frames = FrameStream()
        try socket.send(frames: [call])
        #expect(try frames.next(from: socket) == due)
      }
      try silent.send(Array(call.utf8.dropFirst(20)) + [0])
      var frames = FrameStream()
      #expect(try frames.next(from: silent) == due)
    }
  }

  @Test func oneWhoVanishesHarmsNobody() async throws {
    try await TestServer.run { server in
      for _ in 0..<50 {
        let socket = try server.connect()
        try socket.send(frames: [String](repeating: call, count: 100))
      }
      await server.allClosed()
      let socket = try server.connect()
      var frames = FrameStream()
      try socket.send(frames: [call])
      #expect(try frames.next(from: socket) == due)
    }
  }
}
