internal import JSON
internal import Varlink

/// A frame's JSON as the members of a Varlink reply.
struct ReplyEnvelope {
  /// The reply's parameters, or the error.
  let result: Result<JSONValue, VarlinkErrorReply>
  /// Whether more replies to the same call follow.
  let continues: Bool

  /// `nil` where it is no reply: no object, a member of the wrong type, or one that Varlink does
  /// not know.
  init?(_ frame: JSONValue) {
    guard frame.isObject else { return nil }
    var parameters = JSONValue.null
    var error: String?
    var continues = false
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
    if let error {
      result = .failure(VarlinkErrorReply(name: error, parameters: parameters))
    } else {
      result = .success(parameters)
    }
    self.continues = continues && error == nil
  }
}
