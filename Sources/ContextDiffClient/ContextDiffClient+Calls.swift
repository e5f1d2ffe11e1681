internal import AsyncVarlink
package import ContextDiff
package import ContextDiffWire
internal import JSON
internal import Varlink

extension ContextDiffClient {
  /// Makes a call on the present connection, or on a new one, within the client's deadline.
  ///
  /// Before the first call that is longer than every daemon takes, the daemon is asked for its limit.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - parameters: writes the members of the parameters' object; may be called twice.
  ///   - read: reads the reply's parameters on the connection's thread.
  /// - Returns: what `read` returns.
  /// - Throws: ``ContextDiffError``.
  func call<Reply: Sendable>(
    _ method: Interface.Method,
    _ parameters: @escaping @Sendable (inout JSONWriter) -> Void = { _ in },
    _ read: @escaping @Sendable (JSONValue) throws -> Reply
  ) async throws(ContextDiffError) -> Reply {
    try await onConnection { client in
      try await client.asking { try await client.call(method.fullName, parameters, decode: read) }
    }
  }

  /// Asks the daemon for the longest call that it takes, in bytes.
  package func callLimit() async throws(ContextDiffError) -> Int {
    try await onConnection { try await $0.daemonsCallLimit() }
  }

  /// Sends many pairs at once: those with a session by `Post`, the others by `Classify`.
  ///
  /// - Parameters:
  ///   - pairs: the pairs, none longer as a call than the daemon takes; this is not checked.
  ///   - tell: called on the connection's thread with each reply or error as it comes, in order.
  /// - Returns: each pair's reply or error, in order.
  /// - Throws: a code of the connection, `timedOut` where all pairs together take longer than the client's deadline.
  ///   The daemon has taken all pairs that `tell` was called for, and may have taken more.
  package func answers(
    to pairs: [PairParameters],
    tell: @escaping @Sendable (Result<PairReply, ContextDiffError>) -> Void = { _ in }
  ) async throws(ContextDiffError) -> [Result<PairReply, ContextDiffError>] {
    try await onConnection { client in
      var batch = VarlinkCallBatch()
      for pair in pairs {
        batch.append(pair.method.fullName, pair.write)
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

  /// Runs `body` with the present connection, or with a new one, within the client's deadline.
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

extension VarlinkClient {
  /// Runs `body`, which makes a call; where that is longer than every daemon takes, asks the daemon for its limit, and
  /// runs `body` again.
  func asking<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as VarlinkConnectionError {
      guard case .callTooLarge = error.code else { throw error }
      callLimit = try await daemonsCallLimit()
      return try await body()
    }
  }

  /// Asks the daemon for the longest call that it takes, in bytes.
  fileprivate func daemonsCallLimit() async throws -> Int {
    try await call(Interface.Method.getStatistics.fullName) {
      try Statistics(json: $0["statistics"]).callLimit
    }
  }
}

extension PairParameters {
  /// The method that takes the pair.
  fileprivate var method: Interface.Method { session == nil ? .classify : .post }

  /// How many bytes the pair's call has, its NUL not counted.
  package var callLength: Int {
    var writer = JSONWriter()
    writer.call(method.fullName, write)
    return writer.callLength
  }

  /// The parameters of `Classify` for an observation.
  package init(_ observation: Observation) {
    self.init(
      old: observation.old, new: observation.new, pasteboard: observation.pasteboard,
      evidence: observation.evidence)
  }
}
