import AsyncVarlink
import Varlink

/// The certification's client: calls each step with what the one before was answered.
struct CertificationClient {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let client: VarlinkClient

  func run() async throws {
    guard let id = try await call("Start", .object([:]))["client_id"] else {
      throw Failure(description: "Start gave no client_id")
    }
    let identity = JSONTree.object(["client_id": id])
    var reply = JSONTree.object([:])
    for step in 1...9 {
      reply = try await call("Test0\(step)", reply.adding(identity))
    }
    var streamed: [JSONTree] = []
    let parameters = reply.adding(identity)
    let replies = try client.stream(method("Test10"), { parameters.writeMembers(to: &$0) }) {
      JSONTree($0)
    }
    for try await reply in replies {
      guard let text = reply["string"] else {
        throw Failure(description: "Test10 gave no string")
      }
      streamed.append(text)
    }
    try client.callOneway(method("Test11")) { writer in
      identity.adding(.object(["last_more_replies": .array(streamed)])).writeMembers(to: &writer)
    }
    guard try await call("End", identity)["all_ok"] == .bool(true) else {
      throw Failure(description: "not all was ok")
    }
  }

  private func method(_ name: String) -> String { "\(CertificationInterface.name).\(name)" }

  private func call(_ name: String, _ parameters: JSONTree) async throws -> JSONTree {
    try await client.call(method(name), { parameters.writeMembers(to: &$0) }) { JSONTree($0) }
  }
}
