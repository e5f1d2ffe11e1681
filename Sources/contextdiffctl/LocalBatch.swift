import ContextDiff
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// How many processors are online; 1 where that is not known.
private let processorCount = max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))))

/// Answers lines in this process on all processors, each line by itself, without the memory of a session.
struct LocalBatch: Sendable {
  /// The window of lines that name none.
  let window: Window?
  /// The longest text of a snapshot, in bytes.
  let fieldLimit: Int

  /// The answers to a run of lines.
  struct Answers: Sendable {
    /// The answers as JSON, one line for each line that was read.
    var bytes: [UInt8] = []
    /// The lines that are no pairs, by their numbers in the input, and why.
    var complaints: [(reason: String, line: Int)] = []
  }

  /// Answers `lines`, a share of them in each task; the answers to the shares are in the order of the lines.
  func answers(to lines: [LineSplitter.Line]) async -> [Answers] {
    // Fewer than 64 lines are not worth a task.
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

  /// Answers `lines` one after the other.
  private func answers(to lines: ArraySlice<LineSplitter.Line>) -> Answers {
    let classifier = Classifier()
    var reader = LineReader()
    var writer = LineWriter()
    var answers = Answers()
    for line in lines {
      do throws(LineError) {
        let pair = try reader.pair(
          line.bytes.get(), window: window, for: .classify, fieldLimit: fieldLimit)
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
