import Glibc
import TestSupport
import Varlink

/// A server with an ``EchoService`` on a socket and a thread of its own.
struct TestServer: Sendable {
  let path: String
  private let thread: LoopThread<State>

  struct State {
    let service: EchoService
    let server: VarlinkServer
  }

  /// Serves while `body` runs.
  static func run(
    frameLimit: Int = 1 << 20, connectionLimit: Int = 2048, largeCalls: LargeCalls? = nil,
    _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await onOwnThread {
      let folder = try TemporaryFolder()
      let path = folder.path + "/socket"
      let thread = try await LoopThread { loop in
        let service = EchoService()
        let server = VarlinkServer(
          info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://u"),
          interfaces: [try VarlinkInterface(description: EchoService.description)],
          frameLimit: frameLimit, connectionLimit: connectionLimit, largeCalls: largeCalls,
          handler: service, on: loop)
        try server.listen(at: path, mode: 0o600)
        return State(service: service, server: server)
      }
      defer { thread.stop() }
      let server = TestServer(path: path, thread: thread)
      try await body(server)
      await server.shutDown(within: .zero)
    }
  }

  /// Looks at the server or changes it, on its thread.
  func with<Result: Sendable>(
    _ body: @escaping @Sendable (State) throws -> Result
  ) async throws -> Result {
    try await thread.with(body)
  }

  /// Returns when the server has stopped.
  func shutDown(within limit: Duration) async { await beginShutDown(within: limit)() }

  /// Has the server stop; what is returned waits until it has.
  func beginShutDown(within limit: Duration) -> @Sendable () async -> Void {
    thread.begin { state, stopped in state.server.shutDown(within: limit, stopped) }
  }

  /// Returns when the server has had connections, and has none any more.
  func allClosed() async {
    await thread.wait { state, closed in
      let service = state.service
      service.onClose = {
        guard service.open.isEmpty, !service.peers.isEmpty else { return }
        service.onClose = {}
        closed()
      }
      service.onClose()
    }
  }

  func connect() throws -> RawSocket { try RawSocket.connected(to: path) }
}

/// A folder that goes with everything in it when nothing refers to it any more.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/varlink-tests-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw RawSocket.Failure(call: "mkdtemp", systemError: errno)
    }
    path = String(cString: made)
  }

  deinit {
    unlink(path + "/socket")
    rmdir(path)
  }
}
