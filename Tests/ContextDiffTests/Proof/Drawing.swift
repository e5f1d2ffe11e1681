import ContextDiff

/// Text as a failure shows it: newlines as `⏎`, a lone mark on a dotted circle.
func drawn(_ text: some Sequence<Unicode.Scalar>) -> String {
  var drawing = ""
  for scalar in text {
    switch scalar {
    case "\n": drawing += "⏎"
    case " ": drawing += "␣"
    case "\u{3099}": drawing += "◌\u{3099}"
    default: drawing.unicodeScalars.append(scalar)
    }
  }
  return drawing
}

func drawn(_ text: String?) -> String {
  text.map { drawn($0.unicodeScalars) } ?? "∅"
}

func drawn(_ snapshot: Snapshot) -> String {
  let before = drawn(snapshot.before)
  let after =
    snapshot.after.map { $0.isEmpty ? "\"\"" : drawn($0.unicodeScalars) } ?? "∅"
  guard let selected = snapshot.selected else { return "\(before)|\(after)" }
  return "\(before)|\(drawn(selected.unicodeScalars))|\(after)"
}

func drawn(_ transition: Transition) -> String {
  let alternatives = transition.alternatives.map(\.rawValue).joined(separator: ", ")
  return "\(transition.kind.rawValue), \(transition.certainty.rawValue)"
    + (alternatives.isEmpty ? "" : " [\(alternatives)]")
}

/// A share as a percentage, or a ratio, with `places` digits after the point.
func rounded(_ value: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = (value * scale).rounded()
  guard scaled.isFinite else { return "–" }
  let whole = Int(scaled)
  let digits = String(whole.magnitude)
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  let sign = whole < 0 ? "-" : ""
  return places == 0
    ? sign + padded : sign + padded.dropLast(places) + "." + padded.suffix(places)
}

extension String {
  /// The string with spaces behind it, up to `width` characters.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
