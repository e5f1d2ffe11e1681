/// A socket could not be made or used.
public struct VarlinkSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system call that failed.
  public let call: String
  /// Its `errno`.
  public let systemError: CInt

  package init(_ call: String, _ systemError: CInt) {
    self.call = call
    self.systemError = systemError
  }

  /// The call and the system's words for the error: `bind: Permission denied`.
  public var description: String { "\(call): \(UnixSocket.message(for: systemError))" }
}
