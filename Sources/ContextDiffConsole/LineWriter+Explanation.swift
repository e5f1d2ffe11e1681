package import ContextDiff
internal import ContextDiffWire
internal import JSON

extension LineWriter {
  /// Writes an explanation as an object.
  ///
  /// It holds the transition as the interface has it, the overlap left and right of the caret in scalars, the lines of
  /// the published list, and the readings.
  package mutating func explanation(_ explanation: Explanation) {
    line { json in
      json.beginObject()
      json.name("transition")
      explanation.transition.write(to: &json)
      json.name("left")
      explanation.left.write(to: &json)
      json.name("right")
      explanation.right.write(to: &json)
      json.name("list")
      json.beginArray()
      for line in explanation.list { line.write(to: &json) }
      json.endArray()
      json.name("readings")
      json.beginArray()
      for reading in explanation.readings { reading.write(to: &json) }
      json.endArray()
      json.endObject()
    }
  }
}

extension Explanation.Overlay {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("oldCut", oldCut)
    json.member("newCut", newCut)
    json.member("kept", kept)
    json.member("removed", removed)
    json.member("added", added)
    json.endObject()
  }
}

extension Explanation.Line {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("number", number)
    json.member("condition", condition)
    json.member("kind", kind.rawValue)
    json.member("holds", holds)
    json.member("decides", decides)
    json.name("compared")
    json.beginObject()
    for value in compared {
      json.name(value.name)
      json.string(value.text)
    }
    json.endObject()
    json.endObject()
  }
}

extension Explanation.Reading {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("kind", kind.rawValue)
    json.member("isChosen", isChosen)
    json.member("agreement", agreement.rawValue)
    json.name("prediction")
    if let prediction { prediction.write(to: &json) } else { json.null() }
    json.member("reachesUnknownLeft", reachesUnknownLeft)
    json.member("reachesUnknownRight", reachesUnknownRight)
    json.name("parting")
    if let parting {
      json.beginObject()
      json.member("field", parting.field.rawValue)
      json.member("offset", parting.offset)
      json.endObject()
    } else {
      json.null()
    }
    json.name("weight")
    if let weight { json.double(weight) } else { json.null() }
    json.member("reason", reason)
    json.endObject()
  }
}
