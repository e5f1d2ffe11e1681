/// Who the host says made a change (the change cause of text-input-v3).
public enum Cause: String, Sendable, CaseIterable {
  /// The input method.
  case inputMethod
  /// Anything else: the person, the application.
  case other
}
