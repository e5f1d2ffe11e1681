"""What is edited, and what is typed into it, when a person is recorded."""

STARTS = {
    "letter": (
        "Dear Mrs Holt,\nthank you for your note of the third. The roof is mended, and the tenants have moved back in.\n\n"
        "I enclose the bill: 412.50 in all. Could you pay it by Friday?\nIt rained again on Sunday (no leaks!).\n\n"
        "Yours,\nP. Okafor\n",
        ["and so on", "We agreed.", "the roof", "8 p.m.", "Not yet!", "(see below)", "Thank you"],
    ),
    "kyoto": (
        "京都へ行ったのは三月の終わりだった。桜はまだ早い。\n駅前で道を聞くと、親切に教えてくれた。\n\n"
        "川沿いを歩く。「寒いですね」と隣の人が言う。\nお土産は八つ橋🍡とお茶にした。\n夕方の電車で帰った。",
        ["ok", "JR", "10:30", "(メモ)", "w", "km"],
    ),
    "script": (
        "import sys\n\ndef total(rows):\n    result = 0\n    for row in rows:\n        result += row[1] * row[2]\n    return result\n\n"
        "def main():\n    rows = [('tea', 2, 3.5), ('milk', 1, 1.2)]\n    print(total(rows))\n    return 0\n\nsys.exit(main())\n",
        ["    x = 1", "if row:", "rows[0]", "# why", "return", "result", "print(x)"],
    ),
    "list": (
        "milk\neggs\nmilk\nbread\n\nmilk\n- call Ann\n- call Bob\n- call Ann 📞\n\nNaïve café – 3 € each\nmilk\n",
        ["milk", "- call ", "eggs", "3 €"[:2], "done", "x"],
    ),
}

COMMITS = ["か", "き", "と", "は", "ん", "京都", "です", "ます。", "東", "雨", "！", "、", "し", "🍵", "が", "ございます"]
PREEDITS = ["か", "かん", "かんじ", "にほん", "とう", "ｋ", "さくら"]
CLIPBOARDS = ["tea", "京都", "\n", "two lines\nof text", " ", "milk"]
