package import ContextDiff
package import ContextDiffWire

/// Announces the edits of one recorded session again, while the recording is read into a new session.
///
/// The new session numbers the edits anew; this keeps which number each recorded one has there.
package struct RecordedAnnouncements: Sendable {
  /// The members of a recording's line that are about announced edits.
  package struct Line: Sendable {
    /// The edits that were announced or withdrawn after the pair before and before this line's pair.
    package var announced: [Announcement] = []
    /// The numbers of the announced edits that the pair showed; `nil` where its kind is not `expected`.
    package var expected: [Int]?

    /// A line without announced edits.
    package init() {}

    /// The members of an event.
    package init(_ event: Event) {
      announced = event.announced
      expected = event.transition.kind == .expected ? event.transition.expected : nil
    }
  }

  /// The numbers in the recording of the edits that it holds up to now.
  private var recorded: Set<Int> = []
  /// By an edit's number in the recording, its number in the new session; none where that session did not take it.
  private var numbers: [Int: Int] = [:]

  /// For a session whose recording has not been read yet.
  package init() {}

  /// What to announce to the new session before it is posted the pair of `line`, with the recording's numbers.
  ///
  /// Where the pair showed an edit that the recording does not hold, the list ends with an announcement of the pair
  /// itself, with number 0, so that the pair is read as expected again.
  ///
  /// - Parameters:
  ///   - line: The line of the recording.
  ///   - old: The pair's old snapshot; `nil` where it is the session's last one.
  ///   - new: The pair's new snapshot.
  /// - Returns: The announcements, in the order in which they are to be made.
  package func announcements(
    before line: Line, from old: Snapshot?, to new: Snapshot
  ) -> [Announcement] {
    var announcements = line.announced
    // The new session has seen no snapshot yet, at which the first edit could begin.
    if recorded.isEmpty, announcements.first?.edit != nil {
      announcements[0].old = announcements[0].old ?? old
    }
    if let expected = line.expected {
      let isHeld = expected.allSatisfy { number in
        recorded.contains(number) || announcements.contains { $0.number == number }
      }
      if !isHeld { announcements.append(Announcement(number: 0, old: old, edit: .snapshot(new))) }
    }
    return announcements
  }

  /// Keeps the number in the new session of an announced edit; `nil` where that session did not take it.
  package mutating func note(_ announcement: Announcement, as number: Int?) {
    recorded.insert(announcement.number)
    numbers[announcement.number] = number
  }

  /// The number in the new session of a recorded announcement's edit; `nil` where there is none.
  package func number(of announcement: Announcement) -> Int? {
    numbers[announcement.number]
  }

  /// Announces and withdraws in `session` what `announcements(before:from:to:)` lists, each edit by its recorded number
  /// as far as the session's count allows.
  ///
  /// An edit that the session does not take is left out, and so is the withdrawal of one that does not wait any more.
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
