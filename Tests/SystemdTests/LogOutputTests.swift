import Glibc
import Logging
import Systemd
import Testing

@Suite struct LogOutputTests {
  @Test func linesGoWhereTheSinkLeads() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let output = try output(to: ends[1])
    let logger = Logger(label: "test") { _ in output.handler() }
    logger.debug("not at this level")
    logger.notice("read", metadata: ["count": "3"])
    #expect(output.flush(timeout: .seconds(60)))
    close(ends[1])
    #expect(contents(of: ends[0]) == "notice: read count=3\n")
  }

  @Test func theThresholdHoldsForLoggersThatExist() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let output = try output(to: ends[1])
    let logger = Logger(label: "test") { _ in output.handler() }
    var own = logger
    own.logLevel = .critical
    output.threshold = .debug
    logger.debug("heard")
    own.error("not heard: its own level stands")
    #expect(output.flush(timeout: .seconds(60)))
    close(ends[1])
    #expect(contents(of: ends[0]) == "debug: heard\n")
  }

  @Test func aClosedReaderEndsNothing() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let output = try output(to: ends[1])
    Logger(label: "test") { _ in output.handler() }.notice("lost")
    #expect(output.flush(timeout: .seconds(60)))
    close(ends[1])
  }

  @Test func theJournalIsTakenOnlyWhereADescriptorLeadsThere() {
    var status = stat()
    fstat(STDERR_FILENO, &status)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(LogSink.standard(journalStream: nil, socket: "/dev/null").isLines)
    #expect(LogSink.standard(journalStream: "1:2", socket: "/dev/null").isLines)
    #expect(!LogSink.standard(journalStream: stream, socket: "/dev/null").isLines)
    #expect(LogSink.standard(journalStream: stream, socket: "/no/journal").isLines)
  }

  private func output(to descriptor: Int32) throws -> LogOutput {
    try LogOutput(
      sink: .lines(descriptor), fieldPrefix: "CONTEXTDIFF_", threshold: .info,
      dropsMessageID: "3bd40ed130424810998f2330733395f5")
  }

  private func contents(of descriptor: Int32) -> String {
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var text: [UInt8] = []
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += bytes[..<count]
    }
  }
}

extension LogSink {
  fileprivate var isLines: Bool {
    if case .lines = self { true } else { false }
  }
}
