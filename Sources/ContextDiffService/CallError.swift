package import ContextDiffWire
internal import Varlink

/// Why a call cannot be answered as asked.
package enum CallError: Error, Equatable {
  /// Its parameters cannot be taken.
  case parameters(MessageError)
  /// The caller has no session of that name.
  case noSuchSession(String)
  /// The caller has as many sessions as it may.
  case tooManySessions(limit: Int)
  /// The caller has as many subscribers as it may.
  case tooManySubscribers(limit: Int)
  /// The method streams: it is to be called with `more`.
  case expectedMore
}

extension VarlinkConnection {
  /// Answers a call with the interface's, or the standard, error.
  func reply(_ error: CallError) {
    switch error {
    case .parameters(.invalid(let parameter)):
      reply(parameter)
    case .parameters(.tooLarge(_, limit: let limit)):
      reply(limit: limit, error: "io.contextdiff.SnapshotTooLarge")
    case .noSuchSession(let session):
      reply(error: "io.contextdiff.NoSuchSession") { writer in
        SessionParameters(session: session).write(to: &writer)
      }
    case .tooManySessions(let limit):
      reply(limit: limit, error: "io.contextdiff.TooManySessions")
    case .tooManySubscribers(let limit):
      reply(limit: limit, error: "io.contextdiff.TooManySubscribers")
    case .expectedMore:
      reply(error: "org.varlink.service.ExpectedMore") { _ in }
    }
  }

  private func reply(limit: Int, error: StaticString) {
    reply(error: error) { writer in
      writer.name("limit")
      writer.integer(limit)
    }
  }
}
