/// Texts that are typed and edited: Alice's Adventures in Wonderland (Lewis Carroll, 1865) and
/// 吾輩は猫である (夏目漱石, 1905), both in the public domain, and code of this project's own.
enum Texts {
  static let english = """
    Alice was beginning to get very tired of sitting by her sister on the bank, and of having \
    nothing to do: once or twice she had peeped into the book her sister was reading, but it had \
    no pictures or conversations in it, "and what is the use of a book," thought Alice "without \
    pictures or conversations?"
    So she was considering in her own mind (as well as she could, for the hot day made her feel \
    very sleepy and stupid), whether the pleasure of making a daisy-chain would be worth the \
    trouble of getting up and picking the daisies, when suddenly a White Rabbit with pink eyes \
    ran close by her.

    There was nothing so very remarkable in that; nor did Alice think it so very much out of the \
    way to hear the Rabbit say to itself, "Oh dear! Oh dear! I shall be late!" But when the Rabbit \
    actually took a watch out of its waistcoat-pocket, and looked at it, and then hurried on, \
    Alice started to her feet. In another moment down went Alice after it, never once considering \
    how in the world she was to get out again.

    """

  static let code = """
    func sentenceBefore(_ text: [Scalar], _ position: Int) -> [Scalar]? {
      if position == 0 { return nil }
      if text[position - 1] == newline { return [newline] }
      var first = position
      while first > 0, terminators.contains(text[first - 1]) {
        first -= 1
      }
      while first > 0, !terminators.contains(text[first - 1]) {
        first -= 1
      }
      return Array(text[first..<position])
    }

    /// Who moves the caret, and how far.
    struct Caret: Equatable {
      var line = 0
      var column = 0

      mutating func move(by count: Int) {
        column = max(0, column + count)
        print("moved to \\(line).\\(column)!")
      }
    }

    """

  static let japanese = """
    　吾輩は猫である。名前はまだ無い。
    　どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。\
    吾輩はここで始めて人間というものを見た。しかもあとで聞くとそれは書生という人間中で一番獰悪な種族であったそうだ。\
    この書生というのは時々我々を捕えて煮て食うという話である。しかしその当時は何という考もなかったから別段恐しいとも思わなかった。\
    ただ彼の掌に載せられてスーと持ち上げられた時何だかフワフワした感じがあったばかりである。
    「にゃー！」と鳴いてみたが、誰も来ない……。もう一度鳴くと、今度は誰か来た。書生だろうか？いや、違う。
    ふと気が付いて見ると書生はいない。たくさんおった兄弟が一疋も見えぬ。肝心の母親さえ姿を隠してしまった。

    """
}
