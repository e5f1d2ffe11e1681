public import ArgumentParser
public import ContextDiff
import ContextDiffClient
import ContextDiffWire

extension Window: ExpressibleByArgument {}
extension Kind: ExpressibleByArgument {}
extension Cause: ExpressibleByArgument {}
extension Key: ExpressibleByArgument {}
extension Edit.Unit: ExpressibleByArgument {}

/// The numbers of events and of announced edits.
let sequenceNumbers = 0...Int.max

/// Reads an argument's number, as its `transform`.
///
/// - Throws: `ValidationError`, which names the range, where it is none of `range`.
func number(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
  { argument in
    guard let number = Int(argument), range.contains(number) else {
      throw ValidationError("not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension [SessionName] {
  /// Throws where these are more names of `--session` than a subscription takes.
  func checkFit() throws {
    let limit = SubscribeParameters.sessionLimit
    guard count <= limit else {
      throw ValidationError("--session is given \(count) times, and \(limit) at most are taken.")
    }
  }
}

extension SessionName {
  /// The help of an argument that is a session's name.
  static var help: ArgumentHelp { "The session's name: \(SessionParameters.nameRule)." }

  /// Reads an argument's name, as its `transform`: one that no session can have is refused before anything is sent.
  ///
  /// - Throws: `ValidationError`, which says what a name is.
  @Sendable static func read(_ argument: String) throws -> SessionName {
    guard SessionParameters.isName(argument.utf8) else {
      throw ValidationError("not a name of \(SessionParameters.nameRule)")
    }
    return SessionName(argument)
  }

  /// Has the shell offer the names of the daemon's sessions.
  static let completion = CompletionKind.custom { words, _, _ in await names(of: words) }

  /// The names of the daemon's sessions, which the shell offers to complete a word; none where the daemon does not
  /// answer within half a second.
  ///
  /// The daemon is the one that `--socket` among `words` names, else the standard one. bash expands the names that it
  /// is offered, and a name may hold `$(…)`: names with characters other than ASCII letters, ASCII digits and `-_.:@`
  /// are left out.
  @Sendable private static func names(of words: [String]) async -> [String] {
    var socket: [String] = []
    if let place = words.firstIndex(of: "--socket"), place + 1 < words.count {
      socket = Array(words[place...(place + 1)])
    } else if let word = words.first(where: { $0.utf8.starts(with: "--socket=".utf8) }) {
      socket = [word]
    }
    let options = try? DaemonOptions.parse(socket)
    guard var options else { return [] }
    options.timeout = 0.5
    let names = try? await options.connect().answer { try await $0.sessions().map(\.name) }
    guard let names else { return [] }
    return names.filter { name in
      name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_.:@".utf8.contains(byte)
        }
      }
    }
  }
}
