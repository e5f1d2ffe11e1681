internal import AsyncVarlink
internal import ContextDiffWire
internal import NIOCore
internal import Varlink

/// The connection of a client, which is made for the first call, and anew for a call after it has ended.
actor Connection {
  private let path: String
  private let group: any EventLoopGroup
  /// The connection made last, which may have ended.
  private var current: VarlinkClient?
  /// The attempt to connect that is under way.
  private var connecting: Task<VarlinkClient, any Error>?

  init(path: String, group: any EventLoopGroup) {
    self.path = path
    self.group = group
  }

  /// The present connection or, where there is none, a new one; waits up to ten seconds where the daemon's accept queue
  /// is full.
  func client() async throws -> VarlinkClient {
    try await waitingForRoom { try await self.connectedClient() }
  }

  private func connectedClient() async throws -> VarlinkClient {
    if let current, current.isConnected { return current }
    // All callers that come while a connection is being made wait for the same attempt. It is a task of its own, so
    // that the cancellation of one caller does not cancel it for the others.
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
    // Another caller of the same attempt may have stored the same client before.
    current = client
    return client
  }

  /// Closes the present connection; a later call makes a new one.
  func close() async {
    let closing = current
    current = nil
    await closing?.close()
  }
}
