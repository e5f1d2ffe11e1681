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
    json.name("oldCut")
    json.integer(oldCut)
    json.name("newCut")
    json.integer(newCut)
    json.name("kept")
    json.integer(kept)
    json.name("removed")
    json.integer(removed)
    json.name("added")
    json.integer(added)
    json.endObject()
  }
}

extension Explanation.Line {
  fileprivate func write(to json: inout JSONWriter) {
    json.beginObject()
    json.name("number")
    json.integer(number)
    json.name("condition")
    json.string(condition)
    json.name("kind")
    json.string(kind.rawValue)
    json.name("holds")
    json.bool(holds)
    json.name("decides")
    json.bool(decides)
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
    json.name("kind")
    json.string(kind.rawValue)
    json.name("isChosen")
    json.bool(isChosen)
    json.name("agreement")
    json.string(agreement.rawValue)
    json.name("prediction")
    if let prediction { prediction.write(to: &json) } else { json.null() }
    json.name("reachesUnknownLeft")
    json.bool(reachesUnknownLeft)
    json.name("reachesUnknownRight")
    json.bool(reachesUnknownRight)
    json.name("parting")
    if let parting {
      json.beginObject()
      json.name("field")
      json.string(parting.field.rawValue)
      json.name("offset")
      json.integer(parting.offset)
      json.endObject()
    } else {
      json.null()
    }
    json.name("weight")
    if let weight { json.double(weight) } else { json.null() }
    json.name("reason")
    json.string(reason)
    json.endObject()
  }
}
