internal import CContextDiff

/// Why a function of the header failed: a status, and the text for `contextdiff_last_error`.
///
/// The text names arguments and limits, and never holds typed text.
struct Failure: Error {
  let status: contextdiff_status
  let text: String

  init(_ status: contextdiff_status, _ text: String) {
    self.status = status
    self.text = text
  }

  /// The failure that an argument is not valid.
  static func invalid(_ text: String) -> Failure { Failure(CONTEXTDIFF_INVALID_ARGUMENT, text) }

  /// The failure that an edit to be announced changes nothing.
  static var nothing: Failure { .invalid("edit: it does nothing") }

  /// Keeps the text for `contextdiff_last_error`, and returns the status.
  func tell() -> Int32 {
    var text = text
    // Unsafe: copied at once.
    text.withUTF8 { unsafe cd_set_last_error($0.baseAddress, $0.count) }
    return Int32(status.rawValue)
  }
}
