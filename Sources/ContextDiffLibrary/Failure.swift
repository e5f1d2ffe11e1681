internal import CContextDiff

/// Why a call could not be done: a code of the header's, and what `contextdiff_last_error` says.
///
/// The text names arguments and limits, and holds nothing of what anybody typed.
struct Failure: Error {
  let status: contextdiff_status
  let text: String

  init(_ status: contextdiff_status, _ text: String) {
    self.status = status
    self.text = text
  }

  static func invalid(_ text: String) -> Failure { Failure(CONTEXTDIFF_INVALID_ARGUMENT, text) }

  /// What is to be announced changes nothing.
  static var nothing: Failure { .invalid("edit: it does nothing") }

  /// Leaves the text for `contextdiff_last_error` and gives the code.
  func tell() -> Int32 {
    var text = text
    // Unsafe: copied at once.
    text.withUTF8 { unsafe cd_set_last_error($0.baseAddress, $0.count) }
    return Int32(status.rawValue)
  }
}
