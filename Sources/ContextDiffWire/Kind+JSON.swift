internal import ContextDiff
internal import JSON

// The names of kinds and certainties, as literals that are copied as they are. A `String` would be searched for
// characters to be escaped, three times in each transition.

extension Kind {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .unchanged: writer.fragment(#""unchanged""#)
    case .cursorMove: writer.fragment(#""cursorMove""#)
    case .selection: writer.fragment(#""selection""#)
    case .deselection: writer.fragment(#""deselection""#)
    case .lineSelection: writer.fragment(#""lineSelection""#)
    case .lineDeselection: writer.fragment(#""lineDeselection""#)
    case .cut: writer.fragment(#""cut""#)
    case .paste: writer.fragment(#""paste""#)
    case .outOfRangeTap: writer.fragment(#""outOfRangeTap""#)
    case .insertion: writer.fragment(#""insertion""#)
    case .deletion: writer.fragment(#""deletion""#)
    case .replacement: writer.fragment(#""replacement""#)
    case .undo: writer.fragment(#""undo""#)
    case .redo: writer.fragment(#""redo""#)
    case .submission: writer.fragment(#""submission""#)
    case .windowShift: writer.fragment(#""windowShift""#)
    case .expected: writer.fragment(#""expected""#)
    }
  }
}

extension Certainty {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .certain: writer.fragment(#""certain""#)
    case .likely: writer.fragment(#""likely""#)
    }
  }
}
