internal import AsyncVarlink
internal import JSON

/// Who answers on a socket, as it says itself.
public struct DaemonInfo: Sendable, Hashable {
  /// The program: `contextdiffd`.
  public var product: String
  /// Its version.
  public var version: String
}

extension ContextDiffClient {
  /// Asks who answers.
  ///
  /// - Returns: The program's name and version (`org.varlink.service.GetInfo`).
  /// - Throws: A code of the connection.
  public func daemonInfo() async throws(ContextDiffError) -> DaemonInfo {
    try await onConnection { client in
      try await client.call("org.varlink.service.GetInfo") { json in
        DaemonInfo(
          product: json["product"].string ?? "", version: json["version"].string ?? "")
      }
    }
  }
}
