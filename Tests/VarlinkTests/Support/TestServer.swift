import Glibc
import NIOCore
import NIOPosix
import Varlink

/// A server with an ``EchoService`` on a socket and an event loop of its own.
struct TestServer: Sendable {
  let path: String
  let loop: any EventLoop
  private let state: NIOLoopBound<State>

  final class State {
    let service: EchoService
    let server: VarlinkServer

    init(service: EchoService, server: VarlinkServer) {
      self.service = service
      self.server = server
    }
  }

  /// Serves while `body` runs.
  static func run(
    frameLimit: Int = 1 << 20, connectionLimit: Int = 2048,
    _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let state = try await loop.submit {
      let service = EchoService()
      let server = VarlinkServer(
        info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://u"),
        interfaces: [try VarlinkInterface(description: EchoService.description)],
        frameLimit: frameLimit, connectionLimit: connectionLimit, handler: service, on: loop)
      return NIOLoopBound(State(service: service, server: server), eventLoop: loop)
    }.get()
    let server = TestServer(path: folder.path + "/socket", loop: loop, state: state)
    try await loop.flatSubmit { [path = server.path] in
      do {
        return try state.value.server.listen(at: path, mode: 0o600)
      } catch {
        return loop.makeFailedFuture(error)
      }
    }.get()
    try await onOwnThread { try await body(server) }
    try await server.shutDown(deadline: .now())
    try await group.shutdownGracefully()
  }

  /// Looks at the server or changes it, on its event loop.
  func with<Result: Sendable>(
    _ body: @escaping @Sendable (State) throws -> Result
  ) async throws -> Result {
    try await loop.submit { [state] in try body(state.value) }.get()
  }

  func shutDown(deadline: NIODeadline) async throws {
    try await startShutDown(deadline: deadline).get()
  }

  func startShutDown(deadline: NIODeadline) -> EventLoopFuture<Void> {
    loop.flatSubmit { [state] in state.value.server.shutDown(deadline: deadline) }
  }

  /// Returns when the server has no connection any more.
  func allClosed() async throws {
    try await loop.flatSubmit { [loop, state] in
      let promise = loop.makePromise(of: Void.self)
      let check = {
        if state.value.service.open.isEmpty { promise.succeed() }
      }
      state.value.service.onClose = check
      check()
      return promise.futureResult
    }.get()
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
