import ContextDiffWire
import JSON

func text(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  writer.beginObject()
  write(&writer)
  writer.endObject()
  return String(decoding: writer.bytes, as: UTF8.self)
}

func reread<Message>(
  _ write: (inout JSONWriter) -> Void, _ read: (JSONValue) throws(MessageError) -> Message
) throws -> Message {
  try parse(text(write), read)
}

func parse<Message>(
  _ text: String, _ read: (JSONValue) throws(MessageError) -> Message
) throws -> Message {
  var text = text
  return try text.withUTF8 { bytes in
    let parser = JSONParser()
    return try read(try parser.parse(UnsafeRawBufferPointer(bytes)))
  }
}
