import CAllocations
import Glibc

/// What one way to do a thing costs.
struct Measurement {
  let name: String
  /// The median time of one turn.
  let nanoseconds: Double
  /// How often one turn asks for memory.
  let allocations: Double
  /// The most memory that one turn holds at once.
  let peakBytes: Int

  /// The members of a JSON object, as the script reads them.
  var json: String {
    """
    {"name": "\(name)", "nanoseconds": \(nanoseconds), "allocations": \(allocations), \
    "bytes": \(peakBytes)}
    """
  }
}

/// A thing to measure: `body` does it as often as it is told and says how often it came out right.
struct Subject {
  let name: String
  let body: (_ turns: Int) -> Int

  init(_ name: String, _ body: @escaping (_ turns: Int) -> Int) {
    self.name = name
    self.body = body
  }

  struct WrongResult: Error {
    let subject: String
  }

  private func run(_ turns: Int) throws {
    guard body(turns) == turns else { throw WrongResult(subject: name) }
  }

  /// How many turns take about two milliseconds.
  private func calibrated() throws -> Int {
    var turns = 1
    while true {
      let time = try elapsed { try run(turns) }
      if time > 1_000_000 { return max(1, turns * 2_000_000 / time) }
      turns *= 4
    }
  }

  private func allocations() throws -> (count: Double, peak: Int) {
    let turns = 256
    allocations_reset_peak()
    let before = allocations_now()
    try run(turns)
    let after = allocations_now()
    return (Double(after.count - before.count) / Double(turns), Int(after.peak - before.live))
  }

  /// Measures all subjects in turn, so that what else the machine does falls on each alike.
  static func measure(_ subjects: [Subject], rounds: Int = 41) throws -> [Measurement] {
    let turns = try subjects.map { try $0.calibrated() }
    var times = subjects.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, subject) in subjects.enumerated() {
        let time = try elapsed { try subject.run(turns[index]) }
        times[index].append(Double(time) / Double(turns[index]))
      }
    }
    return try zip(subjects, times).map { subject, times in
      let allocations = try subject.allocations()
      return Measurement(
        name: subject.name, nanoseconds: times.sorted()[times.count / 2],
        allocations: allocations.count, peakBytes: allocations.peak)
    }
  }
}

private func elapsed(_ body: () throws -> Void) rethrows -> Int {
  func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
  let start = now()
  try body()
  return now() - start
}
