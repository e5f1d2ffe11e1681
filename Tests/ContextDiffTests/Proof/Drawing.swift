public import ContextDiff
public import Testing

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

/// A snapshot as `before|after` or `before|selected|after`; far text is left out.
func drawn(_ snapshot: Snapshot) -> String {
  let reach = 32
  func tail(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return (scalars.count > reach ? "…" : "") + drawn(scalars.suffix(reach))
  }
  func head(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return drawn(scalars.prefix(reach)) + (scalars.count > reach ? "…" : "")
  }
  func edge(_ text: String?, _ draw: (String) -> String) -> String {
    text.map { $0.isEmpty ? "\"\"" : draw($0) } ?? "∅"
  }
  var fields = [edge(snapshot.before, tail), edge(snapshot.after, head)]
  if let selected = snapshot.selected {
    let isLong = selected.unicodeScalars.count > 2 * reach
    fields.insert(isLong ? head(selected) + tail(selected) : drawn(selected), at: 1)
  }
  return fields.joined(separator: "|")
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

// Printed by themselves the values show no text.

extension Snapshot: CustomTestStringConvertible {
  /// The value as a failed test shows it.
  public var testDescription: String { drawn(self) }
}

extension Transition: CustomTestStringConvertible {
  /// The value as a failed test shows it.
  public var testDescription: String { drawn(self) }
}
