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

  /// Reads the members of `frame`.
  init(_ frame: JSONValue) throws(CallMistake) {
    guard frame.isObject else { throw .notAnObject }
    var method: JSONText?
    var parameters: JSONValue?
    var (more, oneway, upgrade) = (false, false, false)
    try frame.forEachMember { (name, value) throws(CallMistake) in
      switch name {
      case "method":
        guard let text = value.stringText else { throw .type(of: "method") }
        method = text
      case "parameters":
        guard value.isObject || value.isNull else { throw .type(of: "parameters") }
        parameters = value
      case "more": more = try Self.flag("more", value)
      case "oneway": oneway = try Self.flag("oneway", value)
      case "upgrade": upgrade = try Self.flag("upgrade", value)
      default: throw .unknownMember
      }
    }
    guard let method else { throw .noMethod }
    if more && oneway { throw .moreAndOneway }
    self.method = method
    if let parameters { self.parameters = parameters }
    (wantsMore, isOneway, wantsUpgrade) = (more, oneway, upgrade)
  }

  private static func flag(_ name: String, _ value: JSONValue) throws(CallMistake) -> Bool {
    guard let flag = value.bool else { throw .type(of: name) }
    return flag
  }
}

/// What a JSON value lacks to be a Varlink call.
public enum CallMistake: Error, Hashable, Sendable {
  case notAnObject
  case noMethod
  /// The member of that name, one of Varlink's, has a value of the wrong type.
  case type(of: String)
  /// A member whose name Varlink does not know.
  case unknownMember
  /// Both are true, which contradict each other.
  case moreAndOneway
}

extension CallMistake: CustomStringConvertible {
  /// The mistake in words: "no method".
  public var description: String {
    switch self {
    case .notAnObject: "no object"
    case .noMethod: "no method"
    case .type(let name): "\(name) is of the wrong type"
    case .unknownMember: "a member other than method, parameters, more, oneway, upgrade"
    case .moreAndOneway: "more and oneway at once"
    }
  }
}
