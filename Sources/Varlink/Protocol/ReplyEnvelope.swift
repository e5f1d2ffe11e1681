package import JSON

/// The members of a Varlink reply, read from a frame's JSON.
package struct ReplyEnvelope {
  /// The parameters of the answer or of the error; null where the reply has none.
  package private(set) var parameters = JSONValue.null
  /// The error's full name; `nil` for an answer.
  package private(set) var error: String?
  /// Whether more replies to the same call follow; never after an error.
  package private(set) var continues = false

  /// `nil` where `frame` is no reply: not an object, with a member of the wrong type, or with one that Varlink does not
  /// know.
  package init?(_ frame: JSONValue) {
    guard frame.isObject else { return nil }
    var isReply = true
    frame.forEachMember { name, value in
      switch name {
      case "parameters":
        isReply = isReply && (value.isObject || value.isNull)
        parameters = value
      case "continues":
        isReply = isReply && value.bool != nil
        continues = value.bool ?? false
      case "error":
        isReply = isReply && value.isString
        error = value.string
      default: isReply = false
      }
    }
    guard isReply else { return nil }
    if error != nil { continues = false }
  }
}
