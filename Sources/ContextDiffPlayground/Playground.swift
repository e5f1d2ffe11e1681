internal import ContextDiff
internal import ContextDiffConsole
internal import ContextDiffWire
internal import JSON
internal import Synchronization

/// What fields of a browser showed and what became of it: one session for each field and window.
final class Playground: Sendable {
  /// How many fields are remembered; the one that began first gives way.
  private static let fieldLimit = 64
  /// The longest text of a field, in bytes.
  static let textLimit = 1 << 18

  /// A change that cannot be read, in words that follow the name of what is wrong.
  struct Refusal: Error {
    var message: String
  }

  fileprivate struct Field: Sendable {
    var session = Session()
    var shown: Snapshot?
  }

  fileprivate struct State: Sendable {
    var fields: [String: Field] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// Reads what a field shows now, and answers what happened since the change before.
  ///
  /// - Parameter request: JSON: `field`, a name; `before`, `selected` and `after`, the whole text cut
  ///   at the selection's two ends; `window`; and, where they are known, `pasteboard` and
  ///   `composition`.
  /// - Returns: JSON: `old`, `new`, `transition` and `why`; the transition is null for a baseline.
  /// - Throws: What of the request cannot be read.
  func read(_ request: [UInt8]) throws(Refusal) -> [UInt8] {
    let change = try Change(request)
    let document = change.before + change.selected + change.after
    let start = change.before.unicodeScalars.count
    let new = change.window.snapshot(
      of: document, from: start, to: start + change.selected.unicodeScalars.count)
    let name = "\(change.window.rawValue) \(change.field)"
    return state.withLock { state in
      var field = state.fields[name] ?? Field()
      let observation = Observation(
        old: field.shown ?? Snapshot(), new: new,
        pasteboard: change.pasteboard,
        evidence: Evidence(window: change.window, composition: change.composition))
      let explanation = field.session.explain(
        new: new, pasteboard: change.pasteboard,
        evidence: Evidence(window: change.window, composition: change.composition),
        with: Classifier())
      let transition = field.session.post(
        new: new, pasteboard: change.pasteboard,
        evidence: Evidence(window: change.window, composition: change.composition),
        with: Classifier())
      let answer = Self.answer(observation, transition, explanation)
      field.shown = new
      state.remember(field, as: name, limit: Self.fieldLimit)
      return answer
    }
  }

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
    // Unsafe: copied before the writer ends.
    return unsafe Array(json.bytes)
  }
}

extension Playground.State {
  fileprivate mutating func remember(_ field: Playground.Field, as name: String, limit: Int) {
    if fields.updateValue(field, forKey: name) == nil { order.append(name) }
    if order.count > limit { fields[order.removeFirst()] = nil }
  }
}

/// What a page tells of a field.
private struct Change {
  var field = ""
  var before = ""
  var selected = ""
  var after = ""
  var window = Window.sentence
  var pasteboard: String?
  var composition: Composition?

  init(_ request: [UInt8]) throws(Playground.Refusal) {
    let parser = JSONParser()
    var read: Change?
    do {
      // Unsafe: the value is read before the request that is lent goes.
      read = unsafe try request.withUnsafeBytes { bytes throws -> Change in
        unsafe try Change(json: try parser.parse(bytes))
      }
    } catch let refusal as Playground.Refusal {
      throw refusal
    } catch {
      throw Playground.Refusal(message: "not JSON")
    }
    self = read ?? self
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
