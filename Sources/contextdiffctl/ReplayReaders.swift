import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// Reads the pairs of a recording again, in a new session for each session of the recording: in a daemon, or in this
/// process.
actor ReplayReaders {
  /// The daemon that reads the pairs; `nil` where this process does.
  private let daemon: ConnectedDaemon?
  /// The daemon's session that all pairs are posted to; `nil` for new sessions.
  private let session: String?
  /// The names of the new sessions in the daemon, by the names in the recording.
  private var names: [SessionName: String] = [:]
  /// The new sessions in this process, by the names in the recording.
  private var engines: [SessionName: Session] = [:]
  /// What was announced to each session, by the names in the recording.
  private var announcements: [SessionName: RecordedAnnouncements] = [:]
  /// Whether `end` was called: a later post would make a forgotten session again.
  private var isEnding = false

  init(to daemon: ConnectedDaemon?, session: String?) {
    self.daemon = daemon
    self.session = session
  }

  /// Announces what was announced before `event`, and reads its pair.
  ///
  /// - Parameters:
  ///   - event: An event of the recording; a snapshot that it lacks is read as one that tells nothing.
  ///   - window: The window of an event that names none.
  /// - Returns: How the pair is read now; `nil` where it only sets a baseline.
  /// - Throws: `CancellationError` after `end` was called; else what the daemon answers, or that it does not.
  func read(_ event: Event, window: Window?) async throws -> Transition? {
    let old = event.old ?? Snapshot()
    let new = event.new ?? Snapshot()
    let evidence = event.evidence.through(window)
    let recorded = SessionName(event.session)
    guard let daemon else {
      let classifier = Classifier()
      announcements[recorded, default: RecordedAnnouncements()].announce(
        before: .init(event), from: old, to: new, in: &engines[recorded, default: Session()],
        with: classifier)
      return engines[recorded]?.post(
        old: old, new: new, pasteboard: event.pasteboard, evidence: evidence, with: classifier)
    }
    let name = session ?? name(for: recorded)
    try await announce(before: event, from: old, to: new, in: name, by: daemon)
    try checkGoesOn()
    return try await daemon.answer {
      try await $0.post(
        new, after: old, to: name, pasteboard: event.pasteboard, evidence: evidence
      ).transition
    }
  }

  /// Announces to the daemon again what was announced before the event; an edit that the daemon refuses is left out.
  private func announce(
    before event: Event, from old: Snapshot, to new: Snapshot, in name: String,
    by daemon: ConnectedDaemon
  ) async throws {
    let session = SessionName(event.session)
    var recorded = announcements[session] ?? RecordedAnnouncements()
    for announcement in recorded.announcements(before: .init(event), from: old, to: new) {
      try checkGoesOn()
      let number = recorded.number(of: announcement)
      do {
        let answer: Int? = try await daemon.answer { client in
          if let edit = announcement.edit {
            return try await client.expect(edit, after: announcement.old, in: name)
          }
          if let number { try await client.withdraw(number, in: name) }
          return nil
        }
        recorded.note(announcement, as: answer)
      } catch let error as ContextDiffError where error.code.isOfAnnouncements {
        recorded.note(announcement, as: nil)
      }
    }
    announcements[session] = recorded
  }

  /// Throws after `end` was called.
  private func checkGoesOn() throws {
    if isEnding { throw CancellationError() }
  }

  /// Stops posting, and makes the daemon forget the sessions that this replay made.
  ///
  /// - Throws: Where the daemon does not forget one of them; not where the session has ended already.
  func end() async throws {
    isEnding = true
    guard let daemon else { return }
    for name in names.values {
      do {
        try await daemon.answer { try await $0.forget(name) }
      } catch let error as ContextDiffError where error.code == .noSuchSession {}
    }
  }

  /// The name of the daemon's session for the session `recorded` of the recording: the process's number makes it unique
  /// among replays.
  private func name(for recorded: SessionName) -> String {
    if let name = names[recorded] { return name }
    let name = "replay-\(getpid())-\(names.count + 1)"
    names[recorded] = name
    return name
  }
}

extension ContextDiffError.Code {
  /// Whether the daemon may refuse with it to announce or withdraw an edit again, where the recording lacks what came
  /// before.
  fileprivate var isOfAnnouncements: Bool {
    self == .invalidParameter || self == .noSuchSession || self == .noSuchExpectation
  }
}

extension Evidence {
  /// The same evidence, with `window` where it names no window.
  fileprivate func through(_ window: Window?) -> Evidence {
    var evidence = self
    evidence.window = evidence.window ?? window
    return evidence
  }
}
