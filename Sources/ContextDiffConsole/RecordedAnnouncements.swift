package import ContextDiff
package import ContextDiffWire

/// What a recording says was announced to one of its sessions, to be announced again where that is read again.
package struct RecordedAnnouncements: Sendable {
  /// What a line of the recording says of announced edits.
  package struct Line: Sendable {
    /// What was announced, and withdrawn, before its pair.
    package var announced: [Announcement] = []
    /// The numbers of the edits that the pair was read as; `nil` where it was read as none.
    package var expected: [Int]?

    /// That nothing was announced.
    package init() {}

    /// What `event` says.
    package init(_ event: Event) {
      announced = event.announced
      expected = event.transition.kind == .expected ? event.transition.expected : nil
    }
  }

  /// The numbers that the edits have where they are announced again, by those in the recording; `nil` where they could
  /// not be.
  private var numbers: [Int: Int?] = [:]

  /// None yet.
  package init() {}

  /// What is to be announced before the pair of `line`, from `old` to `new`, with the numbers of the recording.
  ///
  /// Where the recording does not hold what was announced, that is the pair itself.
  package func announcements(
    before line: Line, from old: Snapshot?, to new: Snapshot
  ) -> [Announcement] {
    var announcements = line.announced
    // A recording begins at a pair, and the session that it is read in has seen nothing of what was before.
    if numbers.isEmpty, announcements.first?.edit != nil {
      announcements[0].old = announcements[0].old ?? old
    }
    if let expected = line.expected {
      let isHeld = expected.allSatisfy { number in
        numbers[number] != nil || announcements.contains { $0.number == number }
      }
      if !isHeld { announcements.append(Announcement(number: 0, old: old, edit: .snapshot(new))) }
    }
    return announcements
  }

  /// Notes by which number an edit of the recording was announced again; `nil` where it could not be.
  package mutating func note(_ announcement: Announcement, as number: Int?) {
    numbers[announcement.number] = .some(number)
  }

  /// The number by which an edit of the recording was announced again; `nil` where it was not.
  package func number(of announcement: Announcement) -> Int? {
    numbers[announcement.number] ?? nil
  }

  /// Announces to `session` what is to be announced before a pair, with the numbers of the recording; an edit that
  /// cannot be is passed over.
  package mutating func announce(
    before line: Line, from old: Snapshot?, to new: Snapshot, in session: inout Session,
    with classifier: Classifier
  ) {
    for announcement in announcements(before: line, from: old, to: new) {
      session.countAnnouncements(from: announcement.number)
      if let edit = announcement.edit {
        note(
          announcement, as: try? session.expect(edit, after: announcement.old, with: classifier))
      } else if let number = number(of: announcement) {
        try? session.withdraw(number)
      }
    }
  }
}
