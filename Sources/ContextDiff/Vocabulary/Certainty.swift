/// How sure a reading is.
public enum Certainty: String, Sendable, CaseIterable {
  /// No other reading agrees with the pair, unless by coincidence.
  case certain
  /// Others agree too; `Transition.alternatives` names them.
  case likely
}
