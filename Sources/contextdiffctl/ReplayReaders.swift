import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// Who reads the pairs of a recording: for each session of it one of its own.
actor ReplayReaders {
  private let daemon: (client: ContextDiffClient, options: DaemonOptions)?
  /// Where all pairs go, where that is given.
  private let session: String?
  /// The names that this replay gave, by those recorded.
  private var names: [String: String] = [:]
  private var engines: [String: Session] = [:]
  /// What was announced to each session, by the names recorded.
  private var announcements: [String: RecordedAnnouncements] = [:]
  /// Whether nothing is posted any more: what was forgotten would be begun again.
  private var isEnding = false

  init(to daemon: (ContextDiffClient, DaemonOptions)?, session: String?) {
    self.daemon = daemon
    self.session = session
  }

  func read(_ event: Event, window: Window?) async throws -> Transition? {
    let old = event.old ?? Snapshot()
    let new = event.new ?? Snapshot()
    let evidence = event.evidence.through(window)
    guard let daemon else {
      let classifier = Classifier()
      announcements[event.session, default: RecordedAnnouncements()].announce(
        before: .init(event), from: old, to: new, in: &engines[event.session, default: Session()],
        with: classifier)
      return engines[event.session]?.post(
        old: old, new: new, pasteboard: event.pasteboard, evidence: evidence, with: classifier)
    }
    let name = session ?? name(for: event.session)
    try await announce(before: event, from: old, to: new, in: name, by: daemon)
    try checkGoesOn()
    return try await daemon.options.answer {
      try await daemon.client.post(
        new, after: old, to: name, pasteboard: event.pasteboard, evidence: evidence
      ).transition
    }
  }

  /// Announces again what was announced before the event; an edit that the daemon does not take is passed over.
  private func announce(
    before event: Event, from old: Snapshot, to new: Snapshot, in name: String,
    by daemon: (client: ContextDiffClient, options: DaemonOptions)
  ) async throws {
    var recorded = announcements[event.session] ?? RecordedAnnouncements()
    for announcement in recorded.announcements(before: .init(event), from: old, to: new) {
      try checkGoesOn()
      let number = recorded.number(of: announcement)
      do {
        let answer: Int? = try await daemon.options.answer {
          let client = daemon.client
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
    announcements[event.session] = recorded
  }

  private func checkGoesOn() throws {
    if isEnding { throw CancellationError() }
  }

  /// Posts nothing more, and forgets the sessions that it made; one that has ended meanwhile is as forgotten as it
  /// was to be.
  func end() async throws {
    isEnding = true
    guard let daemon else { return }
    for name in names.values {
      do {
        try await daemon.options.answer { try await daemon.client.forget(name) }
      } catch let error as ContextDiffError where error.code == .noSuchSession {}
    }
  }

  private func name(for recorded: String) -> String {
    if let name = names[recorded] { return name }
    let name = "replay-\(getpid())-\(names.count + 1)"
    names[recorded] = name
    return name
  }
}

extension ContextDiffError.Code {
  /// Whether an edit that is announced again, or withdrawn, may be refused so where the recording is not whole.
  fileprivate var isOfAnnouncements: Bool {
    self == .invalidParameter || self == .noSuchSession || self == .noSuchExpectation
  }
}

extension Evidence {
  /// The same, told of `window` where no other was told.
  fileprivate func through(_ window: Window?) -> Evidence {
    var evidence = self
    evidence.window = evidence.window ?? window
    return evidence
  }
}
