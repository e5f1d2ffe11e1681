internal import ContextDiff
internal import ContextDiffConsole
internal import ContextDiffWire
internal import JSON
internal import Synchronization

/// Reads the changes of a web page's text fields, in one session for each field and window.
final class Playground: Sendable {
  /// How many sessions are kept; one more ends the session that began first.
  private static let fieldLimit = 64
  /// The most bytes that each text of a request may have.
  static let textLimit = 1 << 18

  /// Why a request cannot be read.
  struct Refusal: Error {
    /// One line that names the member that is wrong, and holds none of its text.
    var message: String
  }

  fileprivate struct Field: Sendable {
    var session = Session()
    /// The last snapshot; `nil` before the first.
    var shown: Snapshot?
  }

  fileprivate struct State: Sendable {
    /// By the window's and the field's name.
    var fields: [String: Field] = [:]
    /// The keys of `fields`, the oldest first.
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// Reads a field's new state as a change from its state before, and answers what happened between the two.
  ///
  /// - Parameter request: A JSON object: `field`, a name of 1 to 64 bytes; `before`, `selected` and `after`, the
  ///   field's whole text, cut at the selection's two ends; `window`, a window's name; and `pasteboard` and
  ///   `composition`, each null or left out where it is not known.
  /// - Returns: A JSON object: the snapshots `old` and `new`, `transition`, and `why`, a sentence. The last two are
  ///   null for the first change of a field and window.
  /// - Throws: Why the request cannot be read.
  func read(_ request: [UInt8]) throws(Refusal) -> [UInt8] {
    let change = try Change(request)
    let document = change.before + change.selected + change.after
    let start = change.before.unicodeScalars.count
    let new = change.window.snapshot(
      of: document, from: start, to: start + change.selected.unicodeScalars.count)
    let name = "\(change.window.rawValue) \(change.field)"
    return state.withLock { state in
      var field = state.fields[name] ?? Field()
      let evidence = Evidence(window: change.window, composition: change.composition)
      let observation = Observation(
        old: field.shown ?? Snapshot(), new: new, pasteboard: change.pasteboard, evidence: evidence)
      let explanation = field.session.explain(
        new: new, pasteboard: change.pasteboard, evidence: evidence, with: Classifier())
      let transition = field.session.post(
        new: new, pasteboard: change.pasteboard, evidence: evidence, with: Classifier())
      let answer = Self.answer(observation, transition, explanation)
      field.shown = new
      state.remember(field, as: name, limit: Self.fieldLimit)
      return answer
    }
  }

  /// The answer's JSON.
  private static func answer(
    _ observation: Observation, _ transition: Transition?, _ explanation: Explanation?
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.name("old")
    observation.old.write(to: &json)
    json.name("new")
    observation.new.write(to: &json)
    json.name("transition")
    if let transition { transition.write(to: &json) } else { json.null() }
    json.name("why")
    if let explanation {
      json.string(ExplanationSentence(observation, explanation).text)
    } else {
      json.null()
    }
    json.endObject()
    // Unsafe: the bytes are copied while the writer, which owns them, is alive.
    return unsafe Array(json.bytes)
  }
}

extension Playground.State {
  /// Keeps a field under its key; of more than `limit` the oldest is dropped.
  fileprivate mutating func remember(_ field: Playground.Field, as name: String, limit: Int) {
    if fields.updateValue(field, forKey: name) == nil { order.append(name) }
    if order.count > limit { fields[order.removeFirst()] = nil }
  }
}

/// A request: the state of a field, as ``Playground/read(_:)`` describes it.
private struct Change {
  var field: String
  var before: String
  var selected: String
  var after: String
  var window: Window
  var pasteboard: String?
  var composition: Composition?

  init(_ request: [UInt8]) throws(Playground.Refusal) {
    let parser = JSONParser()
    // Unsafe: the JSON value points into the request, and is used in this closure alone.
    self = unsafe try request.withUnsafeBufferPointer { bytes throws(Playground.Refusal) in
      guard let json = unsafe try? parser.parse(UnsafeRawBufferPointer(bytes)) else {
        throw Playground.Refusal(message: "not JSON")
      }
      return try Change(json: json)
    }
  }

  private init(json: JSONValue) throws(Playground.Refusal) {
    guard let field = json["field"].string, (1...64).contains(field.utf8.count) else {
      throw Playground.Refusal(message: "field: no name of 64 bytes at most")
    }
    self.field = field
    before = try Self.text(json["before"], "before")
    selected = try Self.text(json["selected"], "selected")
    after = try Self.text(json["after"], "after")
    guard let window = json["window"].string.flatMap(Window.init(rawValue:)) else {
      throw Playground.Refusal(message: "window: none of its names")
    }
    self.window = window
    if !json["pasteboard"].isNull {
      pasteboard = try Self.text(json["pasteboard"], "pasteboard")
    }
    let composed = json["composition"]
    guard !composed.isNull else { return }
    do throws(MessageError) {
      composition = try Composition(json: composed)
    } catch {
      throw Playground.Refusal(message: error.within("composition").description)
    }
  }

  /// A member that must be a string of at most `Playground.textLimit` bytes.
  private static func text(
    _ json: JSONValue, _ name: String
  ) throws(Playground.Refusal) -> String {
    guard let text = json.string else { throw Playground.Refusal(message: "\(name): no text") }
    guard text.utf8.count <= Playground.textLimit else {
      throw Playground.Refusal(message: "\(name): longer than \(Playground.textLimit) bytes")
    }
    return text
  }
}
