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
  /// How often `close` was called.
  private var closeCount = 0

  init(path: String, group: any EventLoopGroup) {
    self.path = path
    self.group = group
  }

  /// The present connection or, where there is none, a new one; waits up to ten seconds where the daemon's accept queue
  /// is full.
  ///
  /// - Throws: `VarlinkConnectionError`; with the code `connectionLost` where `close` is called meanwhile.
  func client() async throws -> VarlinkClient {
    let closeCount = closeCount
    return try await waitingForRoom { try await self.connectedClient(closeCount) }
  }

  /// The same without waiting for room; `closeCount` is that at the beginning of the call.
  private func connectedClient(_ closeCount: Int) async throws -> VarlinkClient {
    guard closeCount == self.closeCount else { throw VarlinkConnectionError(.connectionLost) }
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
    guard closeCount == self.closeCount else {
      await client.close()
      throw VarlinkConnectionError(.connectionLost)
    }
    // Another caller of the same attempt may have stored the same client before.
    current = client
    return client
  }

  /// Closes the present connection, and gives up the attempt that is under way; a later call makes a new one.
  func close() async {
    closeCount += 1
    connecting = nil
    let closing = current
    current = nil
    await closing?.close()
  }
}
