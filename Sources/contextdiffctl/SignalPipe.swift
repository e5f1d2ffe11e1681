import Glibc

/// The end of the pipe that the signal handler writes to; set before the handler is installed, and then not changed.
private nonisolated(unsafe) var writer: CInt = -1

/// A pipe that receives a byte for each signal, so that a thread can wait for signals as for input.
///
/// A signal handler may call few functions, `write` among them. The handler has one pipe to write to, so a process
/// makes at most one `SignalPipe`; it stays open until the process ends.
struct SignalPipe {
  /// The end to read: each byte is the number of a signal that came.
  let descriptor: CInt

  /// Begins to receive `signals`, whose default actions are off from then on.
  ///
  /// `nil`, with `errno` set, where no descriptors are left; the signals then act as before.
  init?(for signals: [CInt]) {
    var ends: [CInt] = [0, 0]
    // Unsafe: C fills the two descriptors before it returns; no handler reads `writer` before it is set.
    guard unsafe pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    unsafe writer = ends[1]
    for number in signals {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        let error = errno
        // Unsafe: C reads the byte before it returns; `writer` does not change any more.
        _ = unsafe write(writer, &byte, 1)
        errno = error
      }
    }
  }
}
