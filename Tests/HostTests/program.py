"""A program on the desk, seen from its driver."""

import json
import os
import subprocess
import time

from desk import HERE, PATIENCE, Feed, Silence

KINDS = {
    "gtk3": ("gtk3.py",), "gtk4": ("gtk4.py",), "qt5": ("qt.py", "5"), "qt6": ("qt.py", "6"),
    "firefox": ("firefox.py",),
}


class Program:
    """`kind` is a toolkit's name. Its own state is the truth."""

    def __init__(self, desk, kind, text, method):
        self.desk, self.kind = desk, kind
        # How often the focus came, where the input method tells it.
        focused = method.count("focusIn") if method.feed else 0
        script, *options = KINDS[kind]
        self.process = desk.run(
            "/usr/bin/python3", os.path.join(HERE, "programs", script), *options, text,
            environment=method.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.feed = Feed(self.process.stdout, kind)
        self.number = 0
        # Firefox and Qt know other keys than GTK does.
        self.redo = "ctrl+shift+z"
        ready = self.feed.wait(lambda all: [x for x in all if x["e"] == "ready"], "window")[0]
        self.window = ready["window"]
        if self.window:
            self.take_focus(desk)
            self.feed.wait(lambda all: [x for x in all if x["e"] == "focus"], "focus")
        if method.feed:
            method.feed.wait(lambda all: method.count("focusIn") > focused, "focus in the input method")

    def take_focus(self, desk):
        """The window's number may be told before the server shows it, and only what is shown can be focused."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return desk.hand("windowfocus", str(self.window))
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def ask(self, do, **parameters):
        self.number += 1
        number = self.number
        self.process.stdin.write((json.dumps(dict(n=number, do=do, **parameters)) + "\n").encode())
        self.process.stdin.flush()
        return self.feed.wait(
            lambda all: next((x for x in reversed(all) if x["e"] == "answer" and x["n"] == number), None), f"answer to {do}")

    def state(self):
        """Its text, the selection's fixed end and the caret, once it has done all that reached it."""
        answer = self.ask("sync")
        return answer["text"], answer["anchor"], answer["caret"]

    def wait_secret(self, text):
        """Waits until the password field holds that; nothing is focused for it, since a letter on its way would go elsewhere."""
        limit = time.monotonic() + PATIENCE
        while (secret := self.ask("sync")["secret"]) != text:
            if time.monotonic() > limit:
                raise Silence(f"the password field holds {secret!r}, not {text!r}")
            time.sleep(0.01)

    def states(self):
        """Every state there was, with the time (CLOCK_MONOTONIC, seconds) when it came about."""
        return [x for x in self.feed.all if x["e"] == "state"]

    def wait_state(self, found, what, patience=PATIENCE):
        """The first state, of all there were or are to come, for which `found` holds."""
        return self.feed.wait(lambda all: next((x for x in reversed(all) if x["e"] == "state" and found(x)), None), what, patience)

    def wait_preedit(self, text):
        self.feed.wait(lambda all: next((x["text"] for x in reversed(all) if x["e"] == "preedit"), None) == text, f"preedit {text}")
