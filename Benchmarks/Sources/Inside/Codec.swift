import Foundation
import JSON

/// The codec: the call that the load generator sends, and the reply that comes back, against Foundation's reading and writing.
func codecSubjects() -> [Subject] {
  let text = """
    {"method":"io.contextdiff.Post","parameters":{"session":"bench-0000",\
    "old":{"before":"昨日は友達と一緒に新しい喫茶店","after":"行きましたが混んで"},\
    "new":{"before":"昨日は友達と一緒に新しい喫茶店へ","after":"行きましたが混んで"}}}
    """
  let bytes = Array(text.utf8)
  let data = Data(bytes)
  let decoder = JSONDecoder()
  let encoder = JSONEncoder()
  return [
    Subject("codec: a call read") { turns in
      let parser = JSONParser()
      var right = 0
      for _ in 0..<turns {
        let call = bytes.withUnsafeBytes { bytes in
          (try? parser.parse(bytes)).map(Call.init(json:))
        }
        if let call, call.isRight { right += 1 }
      }
      return right
    },
    Subject("Foundation: a call read") { turns in
      var right = 0
      for _ in 0..<turns {
        if let call = try? decoder.decode(Call.self, from: data), call.isRight { right += 1 }
      }
      return right
    },
    Subject("codec: a reply written") { turns in
      var writer = JSONWriter()
      let reply = Reply()
      var right = 0
      for _ in 0..<turns {
        writer.removeAll()
        reply.write(to: &writer)
        if writer.bytes.count == Reply.length { right += 1 }
      }
      return right
    },
    Subject("Foundation: a reply written") { turns in
      let reply = Reply()
      var right = 0
      for _ in 0..<turns {
        // Foundation leaves out what is nil.
        if let data = try? encoder.encode(reply), data.count > 200 { right += 1 }
      }
      return right
    },
  ]
}

/// The call, as both codecs read it.
private struct Call: Decodable {
  struct Snapshot: Decodable {
    var before: String?
    var selected: String?
    var after: String?
  }

  struct Parameters: Decodable {
    var session: String?
    var old: Snapshot?
    var new: Snapshot?
  }

  var method: String?
  var parameters: Parameters?

  var isRight: Bool {
    method == "io.contextdiff.Post" && parameters?.session == "bench-0000"
      && parameters?.old?.after?.utf8.count == 27 && parameters?.new?.before?.utf8.count == 48
  }
}

extension Call {
  init(json: JSONValue) {
    json.forEachMember { name, value in
      switch name {
      case "method": method = value.string
      case "parameters": parameters = Parameters(json: value)
      default: break
      }
    }
  }
}

extension Call.Parameters {
  init(json: JSONValue) {
    json.forEachMember { name, value in
      switch name {
      case "session": session = value.string
      case "old": old = Call.Snapshot(json: value)
      case "new": new = Call.Snapshot(json: value)
      default: break
      }
    }
  }
}

extension Call.Snapshot {
  init(json: JSONValue) {
    json.forEachMember { name, value in
      switch name {
      case "before": before = value.string
      case "selected": selected = value.string
      case "after": after = value.string
      default: break
      }
    }
  }
}

/// The reply to the call.
private struct Reply: Encodable {
  struct Extent: Encodable {
    var scalars = 1
    var utf16 = 1
    var graphemes = 1
  }

  struct Transition: Encodable {
    var kind = "insertion"
    var basicKind = "outOfRangeTap"
    var certainty = "certain"
    var alternatives: [String] = []
    var cursorOffset: Extent? = Extent()
    var inserted: String? = "へ"
    var removed: String?
    var isPartial = false
    var leavesComposition: Bool?
    var expectedEdits = 0
  }

  struct Parameters: Encodable {
    var sequence = 12_345
    var transition = Transition()
  }

  var parameters = Parameters()

  /// How many bytes `write(to:)` writes.
  static let length = {
    var writer = JSONWriter()
    Reply().write(to: &writer)
    return writer.bytes.count
  }()

  func write(to writer: inout JSONWriter) {
    let transition = parameters.transition
    writer.beginObject()
    writer.name("parameters")
    writer.beginObject()
    writer.name("sequence")
    writer.integer(parameters.sequence)
    writer.name("transition")
    writer.beginObject()
    writer.name("kind")
    writer.string(transition.kind)
    writer.name("basicKind")
    writer.string(transition.basicKind)
    writer.name("certainty")
    writer.string(transition.certainty)
    writer.name("alternatives")
    writer.beginArray()
    for alternative in transition.alternatives { writer.string(alternative) }
    writer.endArray()
    if let offset = transition.cursorOffset {
      writer.name("cursorOffset")
      writer.beginObject()
      writer.name("scalars")
      writer.integer(offset.scalars)
      writer.name("utf16")
      writer.integer(offset.utf16)
      writer.name("graphemes")
      writer.integer(offset.graphemes)
      writer.endObject()
    }
    if let inserted = transition.inserted {
      writer.name("inserted")
      writer.string(inserted)
    }
    writer.name("isPartial")
    writer.bool(transition.isPartial)
    writer.name("expectedEdits")
    writer.integer(transition.expectedEdits)
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }
}
