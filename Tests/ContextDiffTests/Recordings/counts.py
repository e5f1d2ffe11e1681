#!/usr/bin/env python3
"""Counts in the training half what the weights of `Measured` are made of.

    counts.py

Prints for each figure how often it was counted, of how many, and its binary logarithm on the model's
scale, on which all deeds together weigh 19.5. The held-out half is not looked at.
"""

import collections
import json
import math
import pathlib

ALL = 4 + 3 + 1 + 3 + 6 + 2 + 0.5


def steps():
    for path in sorted((pathlib.Path(__file__).parent / "training").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.open(encoding="utf-8")]
        yield from ((path.stem, *pair) for pair in zip([{"did": None}] + lines[1:], lines[1:]))


def erased():
    """What each erasing beside a caret took away at once."""
    for path in sorted((pathlib.Path(__file__).parent / "training").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.open(encoding="utf-8")]
        text = lines[0]["text"]
        for before, now in zip(lines, lines[1:]):
            if "at" not in now:
                continue
            start, end = now["at"], now["at"] + now.get("cut", 0)
            if now["did"] == "erase" and before["start"] == before["end"]:
                yield text[start:end]
            text = text[:start] + now.get("put", "") + text[end:]


def main():
    after = collections.defaultdict(collections.Counter)
    undone = 0
    recording = None
    for name, before, now in steps():
        if name != recording:
            recording, undone = name, 0
        did = now["did"]
        last = before["did"] if before["did"] in ("undo", "redo") else "something else"
        if last == "something else" and undone > 0:
            last = "something else, with something undone"
        after[last][did] += 1
        if did == "undo":
            undone += 1
        elif did == "redo":
            undone -= 1
        elif "at" in now:
            undone = 0
    for last, counts in after.items():
        total = sum(counts.values())
        for did in ("undo", "redo"):
            if counts[did]:
                weight = math.log2(ALL * counts[did] / total)
                print(f"{did} after {last}: {counts[did]} of {total}, {weight:.1f}")
        others = total - counts["undo"] - counts["redo"]
        print(f"all else after {last}: {others} of {total}, {math.log2(others / total):.1f}")
    for did in ("undo", "redo"):
        selects = [now["start"] < now["end"] for _, _, now in steps() if now["did"] == did]
        print(f"{did} that leaves a selection: {sum(selects)} of {len(selects)}")
    pieces = collections.Counter(
        "a word" if len(text.split()) < 2 else "more" for text in erased() if len(text) > 1)
    total = sum(1 for _ in steps())
    for piece, count in pieces.items():
        print(f"{piece} erased at once: {count} of {total}, {math.log2(ALL * count / total):.1f}")


if __name__ == "__main__":
    main()
