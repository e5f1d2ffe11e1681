/// What is between two texts: `removed` went and `put` came behind their common start.
struct Delta {
  var at: Int
  var removed: [Unicode.Scalar]
  var put: [Unicode.Scalar]

  init(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    at = start
    removed = Array(old[start..<oldEnd])
    put = Array(new[start..<newEnd])
  }
}
