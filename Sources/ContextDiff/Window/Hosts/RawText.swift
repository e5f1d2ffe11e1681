/// A host's report as it came.
struct RawText {
  var text: Bytes
  var cursor: Int
  var anchor: Int
}
