"""What each program on the desk tells its driver, and what the driver asks of it, a line each.

Told: `{"e": "state", "text", "anchor", "caret", "t"}` at each change, positions in scalars; `{"e": "preedit", "text"}` as the
input method shows one; `{"e": "answer", "n", …}` with a state and `released`, the keys that came up in the program itself, after the input method had them.
Asked, as JSON: `sync` (answered with what the password field holds too), `place` (where on the screen that offset is), `clipboard`, `copy`, `focus`.
"""

import json
import os
import sys
import time


def on_wayland():
    """Whether the program shows its window to a compositor, which gives a new one the focus by itself."""
    return "WAYLAND_DISPLAY" in os.environ


class Reporter:
    """Writes states, and the same state once."""

    def __init__(self):
        self.last = None
        self.released = 0
        self.number = 0

    def write(self, **record):
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def state(self, text, anchor, caret):
        state = (text, anchor, caret)
        if state == self.last:
            return
        self.last = state
        self.write(e="state", text=text, anchor=anchor, caret=caret, t=time.monotonic())

    def answer(self, number, **record):
        text, anchor, caret = self.last
        self.write(e="answer", n=number, text=text, anchor=anchor, caret=caret, released=self.released,
                   t=time.monotonic(), **record)
