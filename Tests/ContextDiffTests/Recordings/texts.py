"""What is typed in the recordings: Alice's Adventures in Wonderland (Lewis Carroll, 1865) and
吾輩は猫である (夏目漱石, 1905), both in the public domain, and a little code of this project's own."""

ALICE = """Alice was beginning to get very tired of sitting by her sister on the bank, and of having \
nothing to do: once or twice she had peeped into the book her sister was reading, but it had no \
pictures or conversations in it, "and what is the use of a book," thought Alice "without pictures \
or conversations?"
So she was considering in her own mind (as well as she could, for the hot day made her feel very \
sleepy and stupid), whether the pleasure of making a daisy-chain would be worth the trouble of \
getting up and picking the daisies, when suddenly a White Rabbit with pink eyes ran close by her.
There was nothing so very remarkable in that; nor did Alice think it so very much out of the way to \
hear the Rabbit say to itself, "Oh dear! Oh dear! I shall be late!" But when the Rabbit actually \
took a watch out of its waistcoat-pocket, and looked at it, and then hurried on, Alice started to \
her feet.
"""

CODE = """def windows(text, limit=4000):
    \"\"\"Every cut of `text`, longest first.\"\"\"
    for size in range(len(text), 0, -1):
        if size > limit:
            continue
        for start in range(len(text) - size + 1):
            yield text[start:start + size]


class Caret:
    def __init__(self, line, column):
        self.line = line
        self.column = column

    def moved(self, by):
        return Caret(self.line, max(0, self.column + by))
"""

# A Japanese word: the composition as each key leaves it, and what is committed.
JAPANESE = [
    ("w わ わg わが わがh わがは わがはi わがはい", "吾輩"), ("h は", "は"),
    ("n ね ねk ねこ", "猫"), ("d で であ であr である", "である"), "。",
    ("n な なm なま なまe なまえ", "名前"), ("h は", "は"), ("m ま まd まだ", "まだ"),
    ("n な なi ない", "無い"), "。", "\n",
    ("d ど どk どこ どこd どこで", "どこで"), ("u う うm うま うまr うまれ うまれt うまれた", "生れた"),
    ("k か", "か"), ("t と とn とんt とんと", "とんと"),
    ("k け けn けんt けんと けんとう", "見当"), ("g が", "が"), ("t つ つk つか つかn つかぬ", "つかぬ"),
    "。", ("n な なn なんd なんで なんでm なんでも", "何でも"),
    ("u う うs うす うすg うすぐ うすぐr うすぐら うすぐらi うすぐらい", "薄暗い"),
    ("j じ じm じめ じめj じめじ じめじm じめじめ", "じめじめ"), ("s し しt した", "した"),
    ("t と とk ところ", "所"), ("d で", "で"), ("n に にy にゃ にゃー にゃーn にゃーにゃー", "ニャーニャー"),
    ("n な なi ない ないt ないて", "泣いて"), ("i い いt いた", "いた"),
    ("k こ こt こと", "事"), ("d だ だk だけ", "だけ"), ("h は", "は"),
    ("k き きo きおk きおく", "記憶"), ("s し しt して", "して"), ("i い いr いる", "いる"), "。", "\n",
]


def words(text):
    """The text cut behind each space and newline."""
    pieces, piece = [], ""
    for character in text:
        piece += character
        if character in " \n":
            pieces.append(piece)
            piece = ""
    return pieces + ([piece] if piece else [])


SOURCES = {
    "chat": words(ALICE),
    "english": words(ALICE),
    "code": words(CODE),
    "japanese": [
        word if isinstance(word, str) else (word[0].split(), word[1]) for word in JAPANESE
    ],
}

STARTS = {"chat": "", "english": ALICE[:311], "code": CODE[:150], "japanese": "朝だ。雨が降っている。\n傘👨‍👩‍👧を持って出かけよう🇯🇵。\n"}
