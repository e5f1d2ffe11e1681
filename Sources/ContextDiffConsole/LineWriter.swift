package import ContextDiff
package import ContextDiffWire
internal import JSON

/// Writes JSON lines, one value each, to be taken all at once.
package struct LineWriter: ~Copyable {
  private var json = JSONWriter()
  /// The lines written since the last `removeAll`, each with its line feed.
  package private(set) var bytes: [UInt8] = []

  /// A writer without lines.
  package init() {}

  /// Forgets the lines.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a transition as it is on the wire; `null` where a post only set a baseline.
  package mutating func transition(_ transition: Transition?) {
    line { json in
      if let transition { transition.write(to: &json) } else { json.null() }
    }
  }

  /// Writes `{"error": …, "line": …}`.
  package mutating func error(_ reason: String, line number: Int) {
    line { json in
      json.beginObject()
      json.name("error")
      json.string(reason)
      json.name("line")
      json.integer(number)
      json.endObject()
    }
  }

  /// Writes an event as it is on the wire.
  package mutating func event(_ event: Event) {
    line { event.write(to: &$0) }
  }

  /// Writes `{"ready": true, "instance": …, "sequence": …}`: what follows counts from there.
  package mutating func ready(instance: String, sequence: Int) {
    line { json in
      json.beginObject()
      SubscribeReply.ready(instance: instance, sequence: sequence).write(to: &json)
      json.endObject()
    }
  }

  /// Writes `{"sequence": …, "lost": …}`: that many up to that event, -1 where the count is not known.
  package mutating func lost(_ count: Int?, upTo sequence: Int) {
    line { json in
      json.beginObject()
      SubscribeReply.lost(count ?? -1, upTo: sequence).write(to: &json)
      json.endObject()
    }
  }

  /// Writes statistics as they are on the wire.
  package mutating func statistics(_ statistics: Statistics) {
    line { statistics.write(to: &$0) }
  }

  /// Writes an array of sessions as they are on the wire.
  package mutating func list(_ sessions: [SessionInfo]) {
    line { json in
      json.beginArray()
      for session in sessions { session.write(to: &json) }
      json.endArray()
    }
  }

  mutating func line(_ write: (inout JSONWriter) -> Void) {
    json.removeAll()
    write(&json)
    // Unsafe: copied before the writer's next call.
    unsafe bytes.append(contentsOf: json.bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}
