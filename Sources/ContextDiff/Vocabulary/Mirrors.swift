// What a value shows of itself where it is printed, interpolated, dumped or logged: none of the text, which is private.

extension Snapshot: CustomReflectable {
  /// All but the three texts.
  public var customMirror: Mirror {
    Mirror(
      self,
      showing: [
        "hasText": hasText as Any, "caret": caret as Any, "selectionShown": selectionShown as Any,
      ])
  }
}

extension Observation: CustomReflectable {
  /// All but the pasteboard's text; of the snapshots what they show of themselves.
  public var customMirror: Mirror {
    Mirror(self, showing: ["old": old, "new": new, "evidence": evidence])
  }
}

extension Edit: CustomReflectable {
  /// All but the inserted text.
  public var customMirror: Mirror {
    Mirror(
      self,
      showing: [
        "deleteBackward": deleteBackward, "deleteForward": deleteForward, "moveCaret": moveCaret,
        "unit": unit,
      ])
  }
}

extension Transition: CustomReflectable {
  /// All but the inserted and the removed text.
  public var customMirror: Mirror {
    Mirror(
      self,
      showing: [
        "kind": kind, "basicKind": basicKind, "expected": expected,
        "unfulfilled": unfulfilled, "certainty": certainty, "alternatives": alternatives,
        "cursorOffset": cursorOffset as Any, "isPartial": isPartial,
        "leavesComposition": leavesComposition as Any,
      ])
  }
}

extension Session: CustomReflectable {
  /// Nothing: all that a session holds is text, or made of it.
  public var customMirror: Mirror { Mirror(self, showing: [:]) }
}

extension HostField: CustomReflectable {
  /// What it was made of, without the digests of the last text and the last commit: by these a guess at the text can be
  /// confirmed.
  public var customMirror: Mirror {
    Mirror(self, showing: ["frontEnd": host.frontEnd, "toolkit": toolkit as Any])
  }
}

extension Explanation.Line.Value: CustomReflectable {
  /// The name alone: the value may be text.
  public var customMirror: Mirror { Mirror(self, showing: ["name": name]) }
}

extension Mirror {
  /// A structure with the members given.
  fileprivate init<Subject>(_ subject: Subject, showing members: KeyValuePairs<String, Any>) {
    self.init(subject, children: members, displayStyle: .struct)
  }
}
