extension Known {
  /// The offset in the known text at which the new window begins, found by overlapping all that the two
  /// windows show; below 0 where it begins before that text, `nil` where they share too little to rely on.
  ///
  /// - Complexity: Linear in the two windows.
  func overlaidStart(from old: Fields, to new: Fields) -> Int? {
    let old = old.all.contiguous
    let new = new.all.contiguous
    let visible = visible.lowerBound
    return old.withBytes { old in
      new.withBytes { new in
        // The new window begins later in the text than the old one, or earlier.
        let later = Overlap.longestEnd(of: old, thatBegins: new)
        let earlier = Overlap.longestEnd(of: new, thatBegins: old)
        let isLater = later >= earlier
        let common = isLater ? new.prefix(later) : old.prefix(earlier)
        if common.newScalars < Measured.overlaid {
          return new.onlyPlace(in: old).map { visible + $0 }
            ?? old.onlyPlace(in: new).map { visible - $0 }
        }
        return visible + (isLater ? old.count - later : earlier - new.count)
      }
    }
  }
}

extension Bytes {
  /// The offset of the only occurrence in the longer `text`; `nil` where it occurs never or more than once, or
  /// is too short to rely on.
  ///
  /// This finds a caret within a former selection: `[One two three]` → `One t|wo`.
  ///
  /// - Complexity: Linear in the two lengths.
  fileprivate func onlyPlace(in text: Bytes) -> Int? {
    if count >= text.count || newScalars < Measured.overlaid { return nil }
    var places = Occurrences(of: self, in: Joined(text))
    guard let place = places.next(), places.next() == nil else { return nil }
    return place
  }
}
