import Logging
import Systemd
import Testing

@Suite struct LogEntryTests {
  @Test func aJournalEntryHasItsFields() {
    let event = event(
      "notes-1: paste, certain",
      [
        "messageID": "8350882fe94a4f39b0d6480df890cf49", "session": "notes-1",
        "basicKind": "outOfRangeTap",
      ])
    #expect(
      fields(of: journal(event)) == [
        "CODE_FILE=Service/Service.swift", "CODE_FUNC=post()", "CODE_LINE=12",
        "CONTEXTDIFF_BASIC_KIND=outOfRangeTap", "CONTEXTDIFF_SESSION=notes-1",
        "MESSAGE=notes-1: paste, certain",
        "MESSAGE_ID=8350882fe94a4f39b0d6480df890cf49", "PRIORITY=6",
      ])
  }

  @Test(arguments: [
    ("session", "SESSION"), ("clientUID", "CLIENT_UID"), ("durationUsec", "DURATION_USEC"),
    ("HTTPServer", "HTTP_SERVER"), ("utf16Length", "UTF16_LENGTH"), ("a-b.c", "A_B_C"),
    ("kurz ä", "KURZ___"), (String(repeating: "x", count: 99), String(repeating: "X", count: 40)),
  ])
  func aKeyBecomesAFieldName(key: String, name: String) {
    #expect(fields(of: journal(event("m", [key: "v"]))).contains("CONTEXTDIFF_\(name)=v"))
  }

  @Test(arguments: [
    (Logger.Level.trace, "7"), (.debug, "7"), (.info, "6"), (.notice, "5"), (.warning, "4"),
    (.error, "3"), (.critical, "2"),
  ])
  func aLevelBecomesItsPriority(level: Logger.Level, priority: String) {
    #expect(fields(of: journal(event("m", [:], level))).contains("PRIORITY=\(priority)"))
  }

  @Test func aLongValueEndsWithAWholeScalar() {
    let value = "x" + String(repeating: "語", count: 400)
    let cut = "x" + String(repeating: "語", count: 341) + "…"
    #expect(
      fields(of: journal(event("m", ["session": "\(value)"]))).contains(
        "CONTEXTDIFF_SESSION=\(cut)"))
    let whole = String(repeating: "x", count: 1024)
    #expect(
      fields(of: journal(event("m", ["session": "\(whole)"]))).contains(
        "CONTEXTDIFF_SESSION=\(whole)"))
  }

  @Test func anEventsOwnMetadataStandsOverItsLoggers() {
    let entry = LogEntry(
      journal: event("m", ["session": "own"]), common: ["session": "common", "kind": "cut"],
      prefix: "P_")
    let fields = fields(of: entry)
    #expect(fields.contains("P_SESSION=own"))
    #expect(fields.contains("P_KIND=cut"))
    #expect(!fields.contains("P_SESSION=common"))
  }

  @Test func anErrorGetsAField() {
    var failed = event("m", [:])
    failed.error = Refusal()
    #expect(fields(of: journal(failed)).contains("CONTEXTDIFF_ERROR=refused"))
  }

  @Test func controlsInAMessageAreMadeVisible() {
    let message = "a\nb\u{1B}[2Jc\u{85}d\u{7F}é"
    let visible = "a\u{FFFD}b\u{FFFD}[2Jc\u{FFFD}d\u{FFFD}é"
    #expect(fields(of: journal(event(message, [:]))).contains("MESSAGE=\(visible)"))
    #expect(line(event(message, [:])) == "info: \(visible)\n")
  }

  @Test(arguments: [
    "\u{9B}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{2028}", "\0", "\n",
  ])
  func whatWouldDeceiveAReaderIsMadeVisibleInFieldsToo(control: String) {
    let name = "a\(control)b…語"
    let fields = fields(of: journal(event("m \(name)", ["session": "\(name)"])))
    #expect(fields.contains("MESSAGE=m a\u{FFFD}b…語"))
    #expect(fields.contains("CONTEXTDIFF_SESSION=a\u{FFFD}b…語"))
  }

  @Test func aLineOfACatalogedEntryIsItsMessage() {
    #expect(
      line(
        event(
          "settings read", ["messageID": "9172894df7c94141b1e9fcdeeccd6d8e", "a": "1"], .notice))
        == "notice: settings read\n")
  }

  @Test func aLineOfAnotherEntryHasItsMetadataSorted() {
    #expect(
      line(event("closed", ["reason": "a\nb", "channel": "\(7)"], .warning))
        == "warning: closed channel=7 reason=a\u{FFFD}b\n")
  }

  private func journal(_ event: LogEvent) -> LogEntry {
    LogEntry(journal: event, common: [:], prefix: "CONTEXTDIFF_")
  }

  private func line(_ event: LogEvent) -> String {
    fields(of: LogEntry(line: event, common: [:])).joined()
  }

  private func event(
    _ message: String, _ metadata: Logger.Metadata, _ level: Logger.Level = .info
  ) -> LogEvent {
    LogEvent(
      level: level, message: "\(message)", metadata: metadata, source: nil,
      file: "Service/Service.swift", function: "post()", line: 12)
  }
}

/// The entry's fields, sorted.
private func fields(of entry: LogEntry) -> [String] {
  var batch = LogBatch()
  batch.append(entry)
  var fields: [String] = []
  batch.forEachEntry { fields += $0.map { String(decoding: $0, as: UTF8.self) } }
  return fields.sorted()
}

private struct Refusal: Error, CustomStringConvertible {
  let description = "refused"
}
