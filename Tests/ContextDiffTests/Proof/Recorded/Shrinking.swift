import ContextDiff

extension Recording {
  /// The field before step `number`.
  func field(before number: Int) -> Field { number == 0 ? start : steps[number - 1].field }

  /// The shortest run of steps up to and with `miss` that is still misread in the same way.
  func shrunk(
    to miss: Replay.Miss, host: Host, tellsPasteboard: Bool, withMemory: Bool
  ) -> Recording {
    for length in 1...miss.step + 1 where length < 12 || length.isMultiple(of: 16) {
      let first = miss.step + 1 - length
      let run = Recording(
        name: name, start: field(before: first), steps: Array(steps[first...miss.step]))
      let again = Replay(
        run, host: host, tellsPasteboard: tellsPasteboard, withMemory: withMemory)
      if let last = again.misses.last, last.step == length - 1, last.said.kind == miss.said.kind {
        return run
      }
    }
    return upTo(miss.step)
  }

  func upTo(_ step: Int) -> Recording {
    Recording(name: name, start: start, steps: Array(steps[...step]))
  }

  /// The run drawn, one snapshot a line, at most `count` from the end.
  func drawing(host: Host, last count: Int = 8) -> String {
    let lines =
      ["       \(drawn(host.shows(start).snapshot))"]
      + steps.map { "\($0.did.rawValue.padded(7))\(drawn(host.shows($0.field).snapshot))" }
    let left = lines.count - count
    return ((left > 0 ? ["(\(left) steps before)"] : []) + lines.suffix(count))
      .joined(separator: "\n      ")
  }
}
