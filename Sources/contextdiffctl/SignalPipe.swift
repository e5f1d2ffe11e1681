import Glibc

/// Where the handler of signals writes; set before there is one.
private nonisolated(unsafe) var writer: CInt = -1

/// Signals as bytes that can be read and waited for, for a handler may do no more than write; a process has one of
/// these at most.
struct SignalPipe {
  /// Where the number of each signal that comes is read, a byte each.
  let descriptor: CInt

  /// Begins to listen for `signals`, which then do nothing else; `nil`, with errno, where there are no descriptors.
  init?(for signals: [CInt]) {
    var ends: [CInt] = [0, 0]
    // Unsafe: C fills the two descriptors; the signals come only after the variable is written.
    guard unsafe pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    unsafe writer = ends[1]
    for number in signals {
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        let error = errno
        // Unsafe: the byte here; the variable is not written any more.
        _ = unsafe write(writer, &byte, 1)
        errno = error
      }
    }
  }
}
