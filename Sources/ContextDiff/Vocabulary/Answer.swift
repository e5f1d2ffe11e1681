/// What a pair was read as, in the form in which it was found.
///
/// Most pairs are keystrokes, which one scalar tells in full. Who counts or writes them needs no `Transition`, whose
/// text is a string to be made and freed.
package enum Answer: ~Copyable {
  /// A certain insertion; valid as long as the text that was lent.
  case keystroke(Keystroke)
  case transition(Transition)

  /// What happened.
  package var kind: Kind {
    switch self {
    case .keystroke: Keystroke.kind
    case .transition(let transition): transition.kind
    }
  }

  /// The answer in full.
  package var transition: Transition {
    switch self {
    case .keystroke(let keystroke): keystroke.transition
    case .transition(let transition): transition
    }
  }
}
