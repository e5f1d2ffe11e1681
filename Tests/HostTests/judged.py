"""What came out against what was done, act by act."""

import collections

# Of a session's hundred acts at most so many are read as certain and wrong: none was when this was written, and what holds of
# recordings, 5 of 1,000, leaves a busy machine's person one.
CERTAIN_BUT_WRONG = 1


class Judged:
    """Counts a session's pairs: acts that were told for themselves, read right or wrong, and what was told in another way.

    Where the input method does not know the clipboard, what was pasted counts as put in.
    """

    def __init__(self, pairs, knows_clipboard):
        self.right, self.wrong, self.others = [], [], collections.Counter()
        for pair in pairs:
            reading = pair["reading"]
            if pair["old"] is None or pair["truth"] in ("unchanged", "windowShift"):
                continue
            if pair["input"] != "exact" or reading is None:
                self.others[pair["input"] if reading or pair["input"] == "held back" else "unread"] += 1
                continue
            names = [pair["truth"]] + pair["accept"]
            if pair["truth"] == "paste" and not knows_clipboard:
                names += ["insertion", "replacement"]
            good = reading["kind"] in names or (pair["commits"] and reading["kind"] == "expected")
            (self.right if good else self.wrong).append(pair)

    @property
    def told(self):
        return len(self.right) + len(self.wrong)

    @property
    def certain_but_wrong(self):
        return sum(pair["reading"]["certain"] for pair in self.wrong)

    def __str__(self):
        others = ", ".join(f"{count} {name}" for name, count in sorted(self.others.items()))
        return (f"{len(self.right)} of {self.told} acts read right ({len(self.right) / max(self.told, 1):.1%}), "
                f"{self.certain_but_wrong} certain but wrong; besides: {others or 'nothing'}")

    def lines(self):
        """What was read wrong, a line each."""
        for pair in self.wrong:
            old, new = (drawn(pair[side]) for side in ("old", "new"))
            reading = pair["reading"]
            yield (f"{pair['truth']} {pair['accept']} read as {reading['kind']}{' (certain)' if reading['certain'] else ''} {reading['alternatives']}: "
                   f"{old} -> {new}; {pair['how']}, key {pair['key']}, told {pair['told']}, pasteboard {pair['pasteboard']!r}")


def drawn(snapshot):
    before, selected, after = (snapshot[part] or "" for part in ("before", "selected", "after"))
    return (f"{before}[{selected}]{after}" if selected else f"{before}|{after}").replace("\n", "⏎")
