internal import AsyncVarlink
internal import ContextDiffWire
internal import NIOCore
internal import Varlink

/// The one connection of a client: made when first wanted, made anew after it has ended.
actor Connection {
  private let path: String
  private let group: any EventLoopGroup
  private var current: VarlinkClient?
  private var connecting: Task<VarlinkClient, any Error>?

  init(path: String, group: any EventLoopGroup) {
    self.path = path
    self.group = group
  }

  /// The connection that stands, or a new one; a daemon that has no room for one more is waited for.
  func client() async throws -> VarlinkClient {
    try await waitingForRoom { try await self.connectedClient() }
  }

  private func connectedClient() async throws -> VarlinkClient {
    if let current, current.isConnected { return current }
    // Every caller that comes while a connection is being made waits for that one. The task is not
    // a caller's, so that one caller's cancellation does not take the connection from the others.
    let attempt =
      connecting
      ?? Task {
        try await VarlinkClient.connect(
          to: path, frameLimit: Interface.replyLimit, callLimit: Interface.leastCallLimit, on: group
        )
      }
    connecting = attempt
    defer { if connecting == attempt { connecting = nil } }
    let client = try await attempt.value
    // Another caller of the same attempt may have come first: it stored the same client.
    current = client
    return client
  }

  /// Closes the connection that stands.
  func close() async {
    let closing = current
    current = nil
    await closing?.close()
  }
}
