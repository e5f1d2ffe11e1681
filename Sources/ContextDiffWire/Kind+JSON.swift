internal import ContextDiff

// The names as they stand in JSON: written in one go, where a String would be looked through for what
// must be escaped, three times in each transition.

extension Kind {
  var json: StaticString {
    switch self {
    case .unchanged: #""unchanged""#
    case .cursorMove: #""cursorMove""#
    case .selection: #""selection""#
    case .deselection: #""deselection""#
    case .lineSelection: #""lineSelection""#
    case .lineDeselection: #""lineDeselection""#
    case .cut: #""cut""#
    case .paste: #""paste""#
    case .outOfRangeTap: #""outOfRangeTap""#
    case .insertion: #""insertion""#
    case .deletion: #""deletion""#
    case .replacement: #""replacement""#
    case .undo: #""undo""#
    case .redo: #""redo""#
    case .submission: #""submission""#
    case .windowShift: #""windowShift""#
    case .expected: #""expected""#
    }
  }
}

extension Certainty {
  var json: StaticString {
    switch self {
    case .certain: #""certain""#
    case .likely: #""likely""#
    }
  }
}
