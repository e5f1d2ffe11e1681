import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Glibc
import TestSupport
import JSON
import Varlink

/// A Varlink service on a socket of its own that answers `io.contextdiff` as a test scripts it.
final class ScriptedDaemon: Sendable {
  /// Answers one call, on the service's thread.
  typealias Script = @Sendable (Interface.Method, JSONValue, VarlinkConnection) -> Void

  let path: String
  private let thread: LoopThread<VarlinkServer>

  /// Listens at `path`.
  init(
    at path: String, frameLimit: Int = 4 << 20, _ script: @escaping Script
  ) async throws {
    self.path = path
    thread = try await LoopThread { loop in
      let interface = try VarlinkInterface(description: Interface.description)
      let server = VarlinkServer(
        info: VarlinkServiceInfo(vendor: "", product: "", version: "", url: ""),
        interfaces: [interface], frameLimit: frameLimit, connectionLimit: 16,
        handler: Handler(interface: interface, script: script), on: loop)
      try server.listen(at: path, mode: 0o600)
      return server
    }
  }

  /// One that takes calls of `limit` bytes, says so, and answers each post as a baseline.
  convenience init(at path: String, takingPostsOf limit: Int) async throws {
    try await self.init(at: path, frameLimit: limit) { method, _, connection in
      guard method == .post else { return connection.reply(limits: limit) }
      connection.reply(PairReply(sequence: nil, transition: nil).write)
    }
  }

  /// Ends all connections, and the socket with them.
  func stop() async {
    await thread.wait { server, stopped in server.shutDown(within: .zero, stopped) }
    thread.stop()
    unlink(path)
  }

  private final class Handler: VarlinkHandler {
    private let interface: VarlinkInterface
    private let script: Script

    init(interface: VarlinkInterface, script: @escaping Script) {
      self.interface = interface
      self.script = script
    }

    func connectionOpened(_ connection: VarlinkConnection) -> Bool { true }

    func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
      guard let method = Interface.Method(rawValue: interface.methods[call.method]) else { return }
      script(method, call.parameters, connection)
    }

    func connectionIsWritable(_ connection: VarlinkConnection) {}
    func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {}
    func connectionClosed(_ connection: VarlinkConnection) {}
  }
}

extension VarlinkConnection {
  /// Answers `GetStatistics` with this limit of a call's length; `nil` for a daemon that tells none.
  func reply(limits frameBytes: Int?) {
    reply { writer in
      var statistics = Statistics(instance: "", startedAt: 0)
      statistics.limits["frameBytes"] = frameBytes
      writer.name("statistics")
      statistics.write(to: &writer)
    }
  }

  /// Answers the call at hand with a stream of the replies given.
  func stream(_ replies: [SubscribeReply], thenClose: Bool = false) {
    beginStream()
    var encoder = VarlinkFrameEncoder()
    for reply in replies {
      send(frame: encoder.reply(continues: true, reply.write))
    }
    if thenClose { close() }
  }
}

extension PairParameters {
  /// A pair whose call has `length` bytes, its NUL not counted.
  init(session: String, length: Int) {
    self.init(session: session, old: nil, new: Snapshot(before: ""))
    new.before = String(repeating: "a", count: length - callLength)
  }
}

/// Runs `body`, when it is its turn to have sockets, with a path for one that nobody has; the socket
/// is gone afterwards.
func withSocketPath(_ body: (String) async throws -> Void) async throws {
  try await Turns.sockets.take {
    let path = "/tmp/contextdiff-\(getpid())-\(UInt64.random(in: .min ... .max))"
    defer { unlink(path) }
    try await body(path)
  }
}

/// Runs `body` with a client of a daemon that answers by `script`.
func withClient(
  of script: @escaping ScriptedDaemon.Script,
  _ body: (ContextDiffClient) async throws -> Void
) async throws {
  try await withSocketPath { path in
    let daemon = try await ScriptedDaemon(at: path, script)
    let client = try await ContextDiffClient.connect(to: path)
    do {
      try await body(client)
    } catch {
      await client.close()
      await daemon.stop()
      throw error
    }
    await client.close()
    await daemon.stop()
  }
}
