import ContextDiff
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// How many processors there are to work on.
private let processorCount = max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))))

/// Lines that this process answers by itself, each without a memory, on all of its processors.
struct LocalBatch: Sendable {
  let window: Window?
  let fieldLimit: Int

  /// What became of some lines.
  struct Answers: Sendable {
    /// The lines to write, one for each that was read.
    var bytes: [UInt8] = []
    /// What is wrong with which line.
    var complaints: [(reason: String, line: Int)] = []
  }

  /// The answers to `lines`, in order.
  func answers(to lines: [LineSplitter.Line]) async -> [Answers] {
    // Too few to be worth a task.
    let share = max(64, (lines.count + processorCount - 1) / processorCount)
    guard lines.count > share else { return [answers(to: lines[...])] }
    return await withTaskGroup(of: (Int, Answers).self) { group in
      for start in stride(from: 0, to: lines.count, by: share) {
        group.addTask { [self] in
          (start, answers(to: lines[start..<min(start + share, lines.count)]))
        }
      }
      var all: [(Int, Answers)] = []
      for await answers in group { all.append(answers) }
      return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func answers(to lines: ArraySlice<LineSplitter.Line>) -> Answers {
    let classifier = Classifier()
    var reader = LineReader()
    var writer = LineWriter()
    var answers = Answers()
    for line in lines {
      do throws(LineError) {
        let pair = try reader.pair(
          line.bytes.get(), window: window, needsOld: true, fieldLimit: fieldLimit)
        writer.transition(classifier.classify(Observation(pair.parameters)))
      } catch {
        answers.complaints.append((error.description, line.number))
        writer.error(error.description, line: line.number)
      }
    }
    answers.bytes = writer.bytes
    return answers
  }
}
