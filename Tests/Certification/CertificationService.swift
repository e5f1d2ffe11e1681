import JSON
import Varlink

/// The certification's server: plays each client through the steps and checks what it sends.
final class CertificationService: VarlinkHandler {
  private let answers: [(method: String, reply: JSONTree)]
  /// The place of the method that each client must call next; 0 is Start.
  private var nextMethods: [String: Int] = [:]
  private var clientCount = 0

  init() throws {
    answers = try CertificationInterface.answers()
  }

  func connectionOpened(_ connection: VarlinkConnection) -> Bool { true }
  func connectionIsWritable(_ connection: VarlinkConnection) {}
  func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {}
  func connectionClosed(_ connection: VarlinkConnection) {}

  func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    // The interface's methods are Start, Test01 to Test11 and End, in this order.
    guard call.method > 0 else {
      clientCount += 1
      nextMethods["client-\(clientCount)"] = 1
      return connection.reply { [clientCount] writer in
        writer.name("client_id")
        writer.string("client-\(clientCount)")
      }
    }
    guard let client = call.parameters["client_id"].string, let next = nextMethods[client] else {
      return connection.reply(error: "org.varlink.certification.ClientIdError") { _ in }
    }
    let wanted = wantedParameters(of: call.method).adding(
      .object(["client_id": .string(client)]))
    let sent = JSONTree(call.parameters).withoutNullMembers
    guard next == call.method, sent == wanted.withoutNullMembers,
      call.wantsMore == (call.method == 10), call.isOneway == (call.method == 11)
    else {
      nextMethods[client] = nil
      return connection.reply(error: "org.varlink.certification.CertificationError") { writer in
        writer.name("wants")
        wanted.write(to: &writer)
        writer.name("got")
        sent.write(to: &writer)
      }
    }
    nextMethods[client] = call.method + 1
    answer(call.method, of: client, on: connection)
  }

  private func wantedParameters(of method: Int) -> JSONTree {
    switch method {
    case 2...10: answers[method - 2].reply
    case 11:
      .object([
        "last_more_replies": .array(CertificationInterface.streamed.map(JSONTree.string))
      ])
    default: .object([:])
    }
  }

  private func answer(_ method: Int, of client: String, on connection: VarlinkConnection) {
    switch method {
    case 1...9:
      connection.reply { answers[method - 1].reply.writeMembers(to: &$0) }
    case 10:
      for text in CertificationInterface.streamed {
        connection.reply(continues: text != CertificationInterface.streamed.last) { writer in
          writer.name("string")
          writer.string(text)
        }
      }
    case 11:
      connection.reply { _ in }
    default:
      nextMethods[client] = nil
      connection.reply { writer in
        writer.name("all_ok")
        writer.bool(true)
      }
    }
  }
}
