internal import AsyncVarlink
internal import JSON

/// What a daemon says about itself.
public struct DaemonInfo: Sendable, Hashable {
  /// The program's name: `contextdiffd`; empty where the daemon does not give it.
  public var product: String
  /// The program's version; empty where the daemon does not give it.
  public var version: String
}

extension ContextDiffClient {
  /// Asks the daemon for its name and version, by `org.varlink.service.GetInfo`.
  ///
  /// - Returns: the program's name and version.
  /// - Throws: `unsupported` where another Varlink service answers, or a code of the connection.
  public func daemonInfo() async throws(ContextDiffError) -> DaemonInfo {
    let info: DaemonInfo? = try await onConnection { client in
      try await client.call("org.varlink.service.GetInfo") { json in
        var isOurs = false
        json["interfaces"].forEachElement { isOurs = isOurs || $0.string == "io.contextdiff" }
        guard isOurs else { return nil }
        return DaemonInfo(
          product: json["product"].string ?? "", version: json["version"].string ?? "")
      }
    }
    guard let info else {
      throw ContextDiffError(
        code: .unsupported, message: "another service answers, which does not offer io.contextdiff")
    }
    return info
  }
}
