internal import JSON

/// The members of a Varlink call, read from a frame's JSON.
///
/// As strict as sd-varlink: an object is no call with a member that Varlink does not know, with one of the wrong type,
/// or with both `more` and `oneway`.
struct CallEnvelope {
  /// The method's full name.
  let method: JSONText
  /// An object; null where the call has none.
  private(set) var parameters = JSONValue.null
  private(set) var wantsMore = false
  private(set) var isOneway = false
  private(set) var wantsUpgrade = false

  /// Reads the members; throws `notACall` where `frame` is no call.
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
