internal import CSystemd
internal import Glibc
internal import Logging

/// The destination of log entries.
package enum LogSink: Sendable {
  /// The journal, by its native protocol.
  case journal
  /// Plain lines, written to this descriptor.
  case lines(Int32)

  /// The journal if standard error is connected to it, else lines on standard error.
  ///
  /// `journalStream` is the value of `$JOURNAL_STREAM`: device and inode of the stream to the journal
  /// (systemd.exec(5)). Programs inherit the variable even where their output is redirected, so it is compared with
  /// device and inode of standard error. Where there is no `socket`, as where a unit has a root of its own,
  /// sd_journal_sendv(3) would send nothing and say nothing.
  package static func standard(
    journalStream: String?, socket: String = "/run/systemd/journal/socket"
  ) -> LogSink {
    // Unsafe: C only reads the path.
    guard let journalStream, unsafe access(socket, W_OK) == 0 else { return .lines(STDERR_FILENO) }
    var status = stat()
    // Unsafe: C fills the status before it returns.
    let leadsToJournal =
      unsafe fstat(STDERR_FILENO, &status) == 0
      && journalStream == "\(status.st_dev):\(status.st_ino)"
    return leadsToJournal ? .journal : .lines(STDERR_FILENO)
  }

  /// Makes the entry for an event in the form that this sink takes.
  func entry(of event: LogEvent, common: Logger.Metadata, fieldPrefix: String) -> LogEntry {
    switch self {
    case .journal: LogEntry(journal: event, common: common, prefix: fieldPrefix)
    case .lines: LogEntry(line: event, common: common)
    }
  }

  /// Sends each entry and returns how many could not be sent.
  func send(_ batch: borrowing LogBatch) -> Int {
    switch self {
    case .journal: LogSink.sendToJournal(batch)
    case .lines(let descriptor): LogSink.write(batch, to: descriptor)
    }
  }

  /// Sends each entry by `sd_journal_sendv`.
  private static func sendToJournal(_ batch: borrowing LogBatch) -> Int {
    var failures = 0
    // Unsafe: the vectors point to fields that are lent until they have been sent.
    unsafe batch.forEachEntry { fields in
      // sd_journal_sendv only reads the fields, but iovec takes mutable pointers.
      let vectors = unsafe fields.map {
        unsafe iovec(
          iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
      }
      if unsafe sd_journal_sendv(vectors, Int32(vectors.count)) < 0 { failures += 1 }
    }
    return failures
  }

  private static func write(_ batch: borrowing LogBatch, to descriptor: Int32) -> Int {
    var lines: [UInt8] = []
    lines.reserveCapacity(batch.byteCount)
    // Unsafe: the fields are lent, and copied at once.
    unsafe batch.forEachEntry { fields in
      unsafe fields.forEach { unsafe lines.append(contentsOf: $0) }
    }
    return writeAll(lines, to: descriptor) ? 0 : batch.count
  }

  /// Writes all bytes, and returns false on an error; retries after EINTR, and waits while a non-blocking descriptor is
  /// full.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    // Unsafe: the array's own bytes, which C reads before it returns; `rest` never outlives them.
    unsafe bytes.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          guard unsafe poll(&wanted, 1, -1) >= 0 || errno == EINTR else { return false }
        default: return false
        }
      }
      return true
    }
  }
}
