internal import CLinux
internal import ContextDiff
internal import ContextDiffService
internal import Glibc

// What one process leaves to the next.

extension FuzzTarget {
  /// A session that was kept: what is taken for one goes on, and is kept again.
  static let session = FuzzTarget(name: "session") { input in
    guard var session = Session(archive: Array(input)) else { return }
    let classifier = Classifier()
    _ = session.post(new: Snapshot(before: "a", after: "b"), with: classifier)
    _ = session.post(new: Snapshot(before: "ab", after: "b"), with: classifier)
    require(Session(archive: session.archived()) != nil, "what is kept is taken again")
  }

  /// All sessions, as the service manager keeps them.
  static let archive = FuzzTarget(name: "archive") { input in
    guard let descriptor = memory(of: input) else { return }
    for record in SessionArchive.read(adopting: descriptor).records {
      _ = Session(archive: record.bytes)
    }
  }

  /// Kept events: what is taken over can be read, forgotten and added to.
  static let ring = FuzzTarget(name: "ring") { input in
    guard let descriptor = memory(of: input), var ring = try? EventRing.adopt(descriptor)
    else { return }
    var count = 0
    ring.forEach(after: 0) { event in
      _ = event.transition.count + event.pair.count
      count += 1
      return true
    }
    require(count <= ring.count, "no more events than are kept")
    _ = ring.forget(session: "a")
    let transition = Array(#"{"a":1}"#.utf8)
    let last = ring.lastSequence
    transition.withUnsafeBytes { transition in
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      ring.append(
        kind: .insertion, session: EventRing.Name(nothing), transition: transition,
        pair: PairText(others: nothing), limit: 100)
    }
    require(ring.lastSequence == last + 1, "the next event has the next number")
  }

  /// A memfd that holds these bytes.
  package static func memory(of bytes: UnsafeRawBufferPointer) -> Int32? {
    let descriptor = clinux_memfd_create("fuzz")
    guard descriptor >= 0 else { return nil }
    guard write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
