/// How the old and the new `before` overlap, in bytes.
///
/// The old one is `oldCut` + `kept` + what is gone, the new one `newCut` + `kept` + what has come:
/// `One two thr|` and `two four|` have the cuts 4 and 0, keep `two `, lose `thr` and gain `four`. At most
/// one of the cuts is not 0.
struct Alignment {
  /// What only the old `before` reaches, at its far end.
  var oldCut = 0
  /// What only the new `before` reaches, at its far end.
  var newCut = 0
  /// What both show.
  var kept = 0

  /// Aligns `new` with `old` without cuts; with `allowsCut`, if that alignment keeps less than half of the
  /// shorter one, by the cut that keeps the most.
  ///
  /// `common` is the length of their common prefix in bytes.
  ///
  /// - Complexity: Linear in the two lengths.
  init(old: Bytes, new: Bytes, common: Int, allowsCut: Bool) {
    kept = old.scalarStart(atOrBefore: common)
    if !allowsCut || kept &* 2 >= min(old.count, new.count) { return }
    let later = Overlap(of: new, in: old)
    if later.length > kept {
      oldCut = later.offset
      kept = later.length
    }
    let earlier = Overlap(of: old, in: new)
    if earlier.length > kept {
      oldCut = 0
      newCut = earlier.offset
      kept = earlier.length
    }
  }

  /// Whether the two windows begin at different places.
  var isCut: Bool { oldCut > 0 || newCut > 0 }

  func kept(of old: Bytes) -> Bytes { old.dropFirst(oldCut).prefix(kept) }
  func gone(from old: Bytes) -> Bytes { old.dropFirst(oldCut &+ kept) }
  func come(in new: Bytes) -> Bytes { new.dropFirst(newCut &+ kept) }
}
