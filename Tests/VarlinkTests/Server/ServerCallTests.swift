import Glibc
import Testing
import JSON
import Varlink

private func echo(_ text: String) -> String {
  #"{"method":"org.example.echo.Echo","parameters":{"text":"\#(text)"}}"#
}

private func echoed(_ text: String) -> String {
  #"{"parameters":{"text":"\#(text)"}}"#
}

@Suite(.timeLimit(.minutes(10))) struct ServerCallTests {
  @Test func answersPipelinedCallsInTheirOrder() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      let texts = (0..<5000).map { "あ\($0)" }
      try socket.send(frames: texts.map(echo))
      socket.endSending()
      var frames = FrameStream()
      #expect(try frames.rest(from: socket) == texts.map(echoed))
    }
  }

  @Test func answersACallTheSameHoweverItIsWritten() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [
        echo("a"),
        #" {"method":"org.example.echo.Echo","parameters":{"text":"a"}}"#,
        #"{"method": "org.example.echo.Echo", "parameters": {"text": "a"}}"#,
        #"{"parameters":{"text":"a"},"method":"org.example.echo.Echo"}"#,
        #"{"method":"org.example.echo.Echo","parameters":{"text":"a"},"more":false}"#,
        #"{"method":"org.example.echo.Echo","parameters":{"text":"a"}} "#,
        #"{"method":"org.example.echo.Echo","parameters":{"t\u0065xt":"a"}}"#,
        #"{"method":"org.example.echo.Ech\u006F","parameters":{"text":"a"}}"#,
        #"{"method":"org.example.echo.Echo","parameters":{"text":"\u0061"}}"#,
        #"{"method":"org.example.echo.Echo","parameters":{"text":"a","other":1}}"#,
      ])
      socket.endSending()
      var frames = FrameStream()
      let wanted = [String](repeating: echoed("a"), count: 10)
      #expect(try frames.rest(from: socket) == wanted)
      await server.allClosed()
      #expect(try await server.with { $0.service.echoedAtOnce } == 2)
    }
  }

  @Test func answersCallsHoweverTheirBytesAreCut() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      var frames = FrameStream()
      for byte in Array("\(echo("a"))\0\(echo("い"))\0".utf8) { try socket.send([byte]) }
      #expect(try frames.next(from: socket) == echoed("a"))
      #expect(try frames.next(from: socket) == echoed("い"))
    }
  }

  @Test func answersOneWhoEndsHisSideAndThenClosesTheConnection() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [echo("1"), echo("2")])
      try socket.send(Array("{\"half".utf8))
      socket.endSending()
      var frames = FrameStream()
      #expect(try frames.rest(from: socket) == [echoed("1"), echoed("2")])
      await server.allClosed()
      #expect(try await server.with { $0.service.rejections } == [])
    }
  }

  @Test func answersNothingToOnewayCallsErrorsIncluded() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [
        #"{"method":"org.example.echo.Echo","parameters":{"text":"no"},"oneway":true}"#,
        #"{"method":"org.example.echo.Echo","oneway":true}"#,
        #"{"method":"org.example.echo.Missing","oneway":true}"#,
        #"{"method":"org.nowhere.At","oneway":true}"#,
        #"{"method":"org.varlink.service.GetInfo","oneway":true}"#,
        #"{"method":"org.example.echo.Echo","parameters":{"text":"x"},"upgrade":true,"oneway":true}"#,
        echo("yes"),
      ])
      var frames = FrameStream()
      #expect(try frames.next(from: socket) == echoed("yes"))
    }
  }

  @Test(arguments: [
    (
      #"{"method":"org.varlink.service.GetInfo"}"#,
      #"{"parameters":{"vendor":"V","product":"P","version":"1","url":"https://u","interfaces":["org.varlink.service","org.example.echo"]}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInfo","parameters":null,"more":false,"oneway":false}"#,
      #"{"parameters":{"vendor":"V","product":"P","version":"1","url":"https://u","interfaces":["org.varlink.service","org.example.echo"]}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.nowhere"}}"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.nowhere"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription"}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"interface"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":7}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"interface"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInfo","parameters":{"all":true}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"all"}}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.echo","x y":1}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"parameters"}}"#
    ),
    (
      #"{"method":"org.varlink.service.Nothing"}"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.varlink.service.Nothing"}}"#
    ),
    (
      #"{"method":"org.example.echo.echo"}"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.example.echo.echo"}}"#
    ),
    (
      #"{"method":"org.example.Echo"}"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.example"}}"#
    ),
    (
      #"{"method":"Echo"}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"method"}}"#
    ),
    (
      #"{"method":""}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"method"}}"#
    ),
    (
      #"{"method":"org.example.echo.Echo"}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"text"}}"#
    ),
    (
      #"{"method":"org.example.echo.Echo","parameters":{"text":[],"unknown":1}}"#,
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"text"}}"#
    ),
    (
      #"{"method":"org.example.echo.Echo","parameters":{"text":"x"},"upgrade":true}"#,
      #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"org.example.echo.Echo"}}"#
    ),
    (
      #"{"method":"org.example.echo.Count","parameters":{"to":3}}"#,
      #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#
    ),
    (
      #" { "parameters" : { "text" : "\u3042\n" , "new" : {} } , "method" : "org.example.\u0065cho.Echo" } "#,
      #"{"parameters":{"text":"あ\n"}}"#
    ),
    (
      #"{"method":"org.example.echo.Echo","parameters":{"text":"one"},"more":true}"#,
      #"{"parameters":{"text":"one"}}"#
    ),
  ])
  func answers(_ call: String, _ reply: String) async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [call, echo("still there")])
      var frames = FrameStream()
      #expect(try frames.next(from: socket) == reply)
      #expect(try frames.next(from: socket) == echoed("still there"))
    }
  }

  @Test func servesDescriptionsVerbatim() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      var frames = FrameStream()
      try socket.send(frames: [
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.example.echo"}}"#
      ])
      let reply = try #require(try frames.next(from: socket))
      let parser = JSONParser()
      let description = try Array(reply.utf8).withUnsafeBytes { bytes in
        try parser.parse(bytes)["parameters"]["description"].string
      }
      #expect(description == EchoService.description)
    }
  }

  @Test func endsAStreamOfKnownLengthWithAReplyThatDoesNotContinue() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [
        echo("before"),
        #"{"method":"org.example.echo.Count","parameters":{"to":3},"more":true}"#,
        echo("after"),
      ])
      socket.endSending()
      var frames = FrameStream()
      #expect(
        try frames.rest(from: socket) == [
          echoed("before"), #"{"continues":true,"parameters":{"n":1}}"#,
          #"{"continues":true,"parameters":{"n":2}}"#, #"{"parameters":{"n":3}}"#,
          echoed("after"),
        ])
    }
  }

  @Test func answersNothingOnceAStreamHasBegun() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [
        echo("before"),
        #"{"method":"org.example.echo.Stream","parameters":{"frames":2},"more":true}"#,
        echo("in the same read"), "not even JSON",
      ])
      var frames = FrameStream()
      #expect(
        try frames.rest(from: socket) == [
          echoed("before"), #"{"continues":true,"parameters":{"n":0}}"#,
          #"{"continues":true,"parameters":{"n":1}}"#,
        ])
      #expect(try await server.with { $0.service.rejections } == [])
    }
  }

  @Test func keepsAStreamWhoseClientHasEndedItsSideUntilItIsGone() async throws {
    try await TestServer.run { server in
      do {
        let socket = try server.connect()
        try socket.send(frames: [
          echo("before"), #"{"method":"org.example.echo.Hold","more":true}"#,
        ])
        socket.endSending()
        var frames = FrameStream()
        #expect(try frames.next(from: socket) == echoed("before"))
        // What is sent into a stream is dropped, and what the server sends still arrives.
        try await server.with { state in
          var encoder = VarlinkFrameEncoder()
          for connection in state.service.open {
            connection.send(frame: encoder.reply(continues: true) { _ in })
          }
        }
        #expect(try frames.next(from: socket) == #"{"continues":true,"parameters":{}}"#)
      }
      await server.allClosed()
      #expect(try await server.with { $0.server.connectionCount } == 0)
    }
  }

  @Test func saysWhoConnected() async throws {
    try await TestServer.run { server in
      let socket = try server.connect()
      try socket.send(frames: [echo("x")])
      var frames = FrameStream()
      _ = try frames.next(from: socket)
      let me = PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())
      #expect(try await server.with { $0.service.peers } == [me])
    }
  }

  @Test func saysOfWhichGroupsIsWhoConnected() {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let accepted = AcceptedSocket(
      descriptor: ends[0], peer: PeerCredentials(processID: 1, userID: 2, groupID: 3))
    let count = getgroups(0, nil)
    let groups = [gid_t](unsafeUninitializedCapacity: Int(count)) {
      $1 = Int(getgroups(count, $0.baseAddress))
    }
    #expect(accepted.supplementaryGroups == groups)
  }

  @Test func closesOneWhoIsNotWelcome() async throws {
    try await TestServer.run { server in
      try await server.with { $0.service.isWelcoming = false }
      let socket = try server.connect()
      var frames = FrameStream()
      #expect(try frames.next(from: socket) == nil)
    }
  }

  @Test func oneWhomTheSystemCannotWatchIsRefused() throws {
    let service = EchoService()
    let server = VarlinkServer(
      info: VarlinkServiceInfo(vendor: "", product: "", version: "", url: ""), interfaces: [],
      frameLimit: 1, connectionLimit: 1, handler: service, on: try EpollLoop())
    // No file that epoll_ctl(2) takes.
    let descriptor = open("/dev/null", O_RDWR)
    let peer = PeerCredentials(processID: 1, userID: 2, groupID: 3)
    server.serve(AcceptedSocket(descriptor: descriptor, peer: peer))
    #expect(service.refused.map(\.peer) == [peer])
    #expect("\(service.refused[0].reason)".contains("epoll_ctl"))
    #expect(server.connectionCount == 0)
  }

  @Test func listensOnNothingButASocketThatListens() throws {
    let server = VarlinkServer(
      info: VarlinkServiceInfo(vendor: "", product: "", version: "", url: ""), interfaces: [],
      frameLimit: 1, connectionLimit: 1, handler: EchoService(), on: try EpollLoop())
    var ends: [CInt] = [0, 0]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let file = open("/dev/null", O_RDONLY)
    // It listens, but each packet would be cut to one read.
    let packets = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0)
    var nameless = sockaddr(
      sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try #require(bind(packets, &nameless, socklen_t(MemoryLayout<sa_family_t>.size)) == 0)
    try #require(listen(packets, 1) == 0)
    for descriptor in ends + [file, packets] {
      #expect(throws: VarlinkSocketError.self) { try server.listen(on: descriptor) }
      // It stays the caller's.
      #expect(close(descriptor) == 0)
    }
    #expect(throws: VarlinkSocketError.self) { try server.listen(on: file) }
  }
}
