#!/usr/bin/python3
"""Records what a toolkit tells an input method while a seeded person edits: one pair of snapshots a line, with what was done.

    record.py --toolkit gtk3|gtk4|qt5|qt6|firefox --method ibus|fcitx5 --text letter|kyoto|script|list
              [--wayland] [--seed N] [--acts N] [--library FOLDER] [--engine FOLDER] > recording.jsonl
"""

import argparse
import json
import os
import sys

from desk import Desk
from method import Fcitx5, IBus
from person import Person
from program import KINDS, Program
from texts import STARTS
from wayland_desk import WaylandDesk
from witness import Witness


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--toolkit", choices=sorted(KINDS), required=True)
    options.add_argument("--method", choices=["ibus", "fcitx5"], required=True)
    options.add_argument("--text", choices=sorted(STARTS), required=True)
    options.add_argument("--wayland", action="store_true", help="on Wayland, by text-input-v3: gtk3, gtk4 or firefox, through fcitx5")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--acts", type=int, default=220)
    options.add_argument("--library", default=".build/product/release", help="the folder where libcontextdiff was built")
    options.add_argument("--engine", help="for fcitx5: the folder where Tests/HostTests/fcitx5 was built")
    options = options.parse_args()
    text, words = STARTS[options.text]
    with WaylandDesk() if options.wayland else Desk() as desk:
        desk.start_display()
        method = IBus(desk, os.path.abspath(options.library)) if options.method == "ibus" else Fcitx5(desk, options.engine)
        program = Program(desk, options.toolkit, text, method)
        person = Person(desk, method, program, f"{options.toolkit} {'wayland' if options.wayland else options.method} {options.text} {options.seed}", words)
        start = person.state
        person.edit(options.acts)
        # What is only told before the next key.
        person.do("key Shift_L", "move", "key", "Shift_L", keys=1)
        for pair in Witness(person, start).pairs():
            del pair["reading"]
            print(json.dumps(pair, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
