internal import ContextDiffWire
internal import JSON
internal import Varlink

/// Why a call is answered with an error.
enum CallError: Error, Equatable {
  /// A parameter is invalid, missing or too long.
  case parameters(MessageError)
  /// The caller's user has no session of that name.
  case noSuchSession(String)
  /// No announced edit of that number waits in the session.
  case noSuchExpectation(Int)
  /// The caller's user has as many sessions as it may have.
  case tooManySessions(limit: Int)
  /// The caller's user has as many subscribers as it may have.
  case tooManySubscribers(limit: Int)
  /// The method streams its replies, and must be called with `more`.
  case expectedMore

  /// The limit that was reached, and its value, for the journal; `nil` where the error is not about a limit.
  var limitReached: String? {
    switch self {
    case .parameters(let error):
      if case .tooLong(let limit) = error.reason {
        "\(error.path) is longer than limits.fieldBytes, \(limit) bytes"
      } else {
        nil
      }
    case .tooManySessions(let limit): "limits.sessions, \(limit)"
    case .tooManySubscribers(let limit): "limits.subscribers, \(limit)"
    case .noSuchSession, .noSuchExpectation, .expectedMore: nil
    }
  }
}

extension VarlinkConnection {
  /// Answers the call that is being handled with the error of io.contextdiff or of org.varlink.service.
  func reply(_ error: CallError) {
    switch error {
    case .parameters(let error):
      if case .tooLong(let limit) = error.reason {
        reply(limit: limit, field: error.parameter, error: "io.contextdiff.SnapshotTooLarge")
      } else {
        reply(InvalidParameter(error.parameter))
      }
    case .noSuchSession(let session):
      reply(error: "io.contextdiff.NoSuchSession") { writer in
        SessionParameters(session: session).write(to: &writer)
      }
    case .noSuchExpectation(let number):
      reply(error: "io.contextdiff.NoSuchExpectation") { writer in
        ExpectReply(expected: number).write(to: &writer)
      }
    case .tooManySessions(let limit):
      reply(limit: limit, error: "io.contextdiff.TooManySessions")
    case .tooManySubscribers(let limit):
      reply(limit: limit, error: "io.contextdiff.TooManySubscribers")
    case .expectedMore:
      reply(error: "org.varlink.service.ExpectedMore") { _ in }
    }
  }

  private func reply(limit: Int, field: String? = nil, error: StaticString) {
    reply(error: error) { writer in
      writer.member("limit", limit)
      writer.member("field", field)
    }
  }
}
