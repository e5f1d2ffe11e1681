internal import JSON

/// A frame's JSON as the members of a Varlink call.
///
/// As strict as sd-varlink: a member that Varlink does not know, or one of the wrong type, makes it
/// no call; so do `more` and `oneway` together.
struct CallEnvelope {
  let method: JSONText
  private(set) var parameters = JSONValue.null
  private(set) var wantsMore = false
  private(set) var isOneway = false
  private(set) var wantsUpgrade = false

  init(_ frame: JSONValue) throws(FrameRejection) {
    var method: JSONText?
    var parameters: JSONValue?
    var (more, oneway, upgrade) = (false, false, false)
    try frame.forEachMember { (name, value) throws(FrameRejection) in
      switch name {
      case "method":
        guard let text = value.stringText else { throw .notACall }
        method = text
      case "parameters":
        guard value.isObject || value.isNull else { throw .notACall }
        parameters = value
      case "more": more = try Self.flag(value)
      case "oneway": oneway = try Self.flag(value)
      case "upgrade": upgrade = try Self.flag(value)
      default: throw .notACall
      }
    }
    guard let method, !(more && oneway) else { throw .notACall }
    self.method = method
    if let parameters { self.parameters = parameters }
    (wantsMore, isOneway, wantsUpgrade) = (more, oneway, upgrade)
  }

  private static func flag(_ value: JSONValue) throws(FrameRejection) -> Bool {
    guard let flag = value.bool else { throw .notACall }
    return flag
  }
}
