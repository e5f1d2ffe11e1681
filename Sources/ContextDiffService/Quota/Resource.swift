/// What a client can make the daemon hold, charged to the client's user.
///
/// docs/Limits.md has the same list, with what happens at each limit; a test compares the two.
package enum Resource: Int, CaseIterable, Sendable {
  /// Connections, in number.
  case connections
  /// Subscribers, in number.
  case subscribers
  /// Sessions, in number.
  case sessions
  /// What a user's loop takes while the user is connected: stack and buffers, in bytes.
  case loops
  /// Frames that are not complete, or wait to be answered, in bytes.
  case frames
  /// Replies and events that wait to be read, in bytes.
  case replies
  /// The names in subscribers' filters, in bytes.
  case filters
  /// What sessions hold: snapshots, memory, history, announced edits, names, in bytes.
  case text
  /// Kept events, in bytes.
  case events

  /// Whether it is held for a short time alone: until a call is answered, a reply is read or a user has gone.
  var isPassing: Bool {
    switch self {
    case .loops, .frames, .replies: true
    case .connections, .subscribers, .sessions, .filters, .text, .events: false
    }
  }

  /// Whether it counts against the memory budget; the others are numbers of things.
  var isMemory: Bool {
    switch self {
    case .connections, .subscribers, .sessions: false
    case .loops, .frames, .replies, .filters, .text, .events: true
    }
  }
}
