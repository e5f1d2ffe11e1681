/// How much the tests print, and how long they go on: `CONTEXTDIFF_PROOF=long` for more of both.
enum Report {
  static let isLong = Environment["CONTEXTDIFF_PROOF"] == "long"
  static let length = isLong ? 40 : 0
}
