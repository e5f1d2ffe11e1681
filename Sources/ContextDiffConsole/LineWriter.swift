package import ContextDiff
package import ContextDiffWire
internal import JSON

/// Writes values as JSON, one on each line, into a buffer that its owner prints and then empties.
package struct LineWriter: ~Copyable {
  private var json = JSONWriter()
  /// The lines written since the last `removeAll`, each with its line feed.
  package private(set) var bytes: [UInt8] = []

  /// A writer without lines.
  package init() {}

  /// Empties the buffer, and keeps its memory for the next lines.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a transition as the interface has it; `null` for the `nil` of a post that only set a baseline.
  package mutating func transition(_ transition: Transition?) {
    line { json in
      if let transition { transition.write(to: &json) } else { json.null() }
    }
  }

  /// Writes `{"error": …, "line": …}`: why the input's line of that number, from 1, could not be read.
  package mutating func error(_ reason: String, line number: Int) {
    line { json in
      json.beginObject()
      json.member("error", reason)
      json.member("line", number)
      json.endObject()
    }
  }

  /// Writes an event as the interface has it.
  package mutating func event(_ event: Event) {
    line { event.write(to: &$0) }
  }

  /// Writes `{"ready": true, "instance": …, "sequence": …}`: the events that follow have numbers after `sequence`.
  package mutating func ready(instance: String, sequence: Int) {
    line { json in
      json.beginObject()
      SubscribeReply.ready(instance: instance, sequence: sequence).write(to: &json)
      json.endObject()
    }
  }

  /// Writes `{"sequence": …, "lost": …}`: how many events up to number `sequence` were lost; -1 for a count of `nil`,
  /// which is not known.
  package mutating func lost(_ count: Int?, upTo sequence: Int) {
    line { json in
      json.beginObject()
      SubscribeReply.lost(count ?? -1, upTo: sequence).write(to: &json)
      json.endObject()
    }
  }

  /// Writes statistics as the interface has them.
  package mutating func statistics(_ statistics: Statistics) {
    line { statistics.write(to: &$0) }
  }

  /// Writes an array of sessions as the interface has them.
  package mutating func list(_ sessions: [SessionInfo]) {
    line { json in
      json.beginArray()
      for session in sessions { session.write(to: &json) }
      json.endArray()
    }
  }

  /// Appends the value that `write` writes, and a line feed.
  mutating func line(_ write: (inout JSONWriter) -> Void) {
    json.removeAll()
    write(&json)
    // Unsafe: copied before the writer's next call.
    unsafe bytes.append(contentsOf: json.bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}
