internal import AsyncVarlink
package import ContextDiff
package import ContextDiffWire
internal import JSON
internal import Varlink

extension ContextDiffClient {
  /// Makes a call on the connection that stands, or on a new one, within the client's deadline.
  ///
  /// The daemon is asked for its limit on calls before the first that it might not take.
  func call<Reply: Sendable>(
    _ method: Interface.Method,
    _ parameters: @escaping @Sendable (inout JSONWriter) -> Void = { _ in },
    _ read: @escaping @Sendable (JSONValue) throws -> Reply
  ) async throws(ContextDiffError) -> Reply {
    try await onConnection { client in
      do {
        return try await client.call(method.fullName, parameters, decode: read)
      } catch let error as VarlinkConnectionError where error.isOfCallTooLarge {
        client.callLimit = try await Self.callLimit(over: client)
        return try await client.call(method.fullName, parameters, decode: read)
      }
    }
  }

  /// Asks what the longest call is that the daemon takes, in bytes.
  package func callLimit() async throws(ContextDiffError) -> Int {
    try await onConnection { try await Self.callLimit(over: $0) }
  }

  private static func callLimit(over client: VarlinkClient) async throws -> Int {
    let statistics = try await client.call(Interface.Method.getStatistics.fullName) {
      try Statistics(json: $0["statistics"])
    }
    // Daemons before 0.2 did not tell their limits.
    return statistics.limits["frameBytes"] ?? Interface.callLimit
  }

  /// Makes the calls of many pairs in one go: by `Post` those that name a session, by `Classify`
  /// the others.
  ///
  /// - Parameters:
  ///   - pairs: The pairs; their frames must be within what the daemon takes.
  ///   - tell: Called on the connection's thread with each reply or error as it comes, in order.
  /// - Returns: Each pair's reply or error, in order.
  /// - Throws: A code of the connection, `timedOut` where all together take longer than the client's
  ///   deadline; then any number of the pairs may have been taken, those that `tell` heard of at least.
  package func answers(
    to pairs: [PairParameters],
    tell: @escaping @Sendable (Result<PairReply, ContextDiffError>) -> Void = { _ in }
  ) async throws(ContextDiffError) -> [Result<PairReply, ContextDiffError>] {
    try await onConnection { client in
      var batch = VarlinkCallBatch()
      for pair in pairs {
        let method: Interface.Method = pair.session == nil ? .classify : .post
        batch.append(method.fullName, pair.write)
      }
      return try await client.call(batch) { reply in
        let answer: Result<PairReply, ContextDiffError> =
          switch reply {
          case .success(let json): .success(try PairReply(json: json))
          case .failure(let error): .failure(ContextDiffError(reply: error))
          }
        tell(answer)
        return answer
      }
    }
  }

  /// Runs `body` with the connection that stands, or a new one, within the client's deadline.
  func onConnection<Value: Sendable>(
    _ body: @escaping @Sendable (VarlinkClient) async throws -> Value
  ) async throws(ContextDiffError) -> Value {
    do {
      return try await within(deadline) { [connection] in
        try await body(connection.client())
      }
    } catch {
      throw ContextDiffError(error, path: path)
    }
  }
}

extension VarlinkConnectionError {
  fileprivate var isOfCallTooLarge: Bool { if case .callTooLarge = code { true } else { false } }
}

extension PairParameters {
  /// The parameters of `Classify` for what a client observed.
  package init(_ observation: Observation) {
    self.init(
      old: observation.old, new: observation.new, pasteboard: observation.pasteboard,
      evidence: observation.evidence)
  }
}
