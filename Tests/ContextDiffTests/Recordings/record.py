#!/usr/bin/env python3
"""Records what a real browser's text area holds while real key, mouse and composition events edit it.

    record.py [--chromium PATH] [--seed N] [--actions N] chat|code|english|japanese > session.jsonl

Needs Chromium and nothing else. One JSON object a line: what was done ("did"), how the text changed
("at", "cut": scalars taken away, "put"), the selection afterwards in scalars ("start", "end"), and
the clipboard's text where it is known and changed ("clipboard"). The first line holds the text
that the recording starts from ("text").
"""

import argparse
import json
import os
import pathlib
import random
import sys

import texts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from chromium import CONTROL, SHIFT, Chromium, Failed  # noqa: E402

PAGE = """<!doctype html><meta charset=utf-8>
<style>body{margin:0}textarea{position:absolute;left:0;top:0;width:640px;height:420px;
font:16px monospace,'Noto Sans Mono CJK JP';line-height:24px;padding:0;border:0;margin:0}</style>
<textarea id=t spellcheck=false></textarea>"""


class Browser(Chromium):
    """The page with the text area."""

    def __init__(self, program):
        super().__init__(program, 800, 600)
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.call("Page.setDocumentContent", frameId=frame, html=PAGE)
        self.call("Page.bringToFront")
        self.evaluate("document.getElementById('t').focus()")

    def state(self):
        value, start, end = self.evaluate(
            "(t => [t.value, t.selectionStart, t.selectionEnd])(document.getElementById('t'))")
        return value, scalars(value, start), scalars(value, end)

    def mouse(self, kind, x, y, count=1):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count,
                  buttons=0 if kind == "mouseReleased" else 1)

    def click(self, x, y, times=1):
        for count in range(1, times + 1):
            self.mouse("mousePressed", x, y, count)
            self.mouse("mouseReleased", x, y, count)


def scalars(text, utf16):
    return len(text.encode("utf-16-le")[:2 * utf16].decode("utf-16-le"))


class Recorder:
    """Writes one line for each thing done that the text area shows."""

    def __init__(self, browser, out, text):
        self.browser = browser
        self.out = out
        self.lines = 0
        self.clipboard = None
        self.told = None
        browser.evaluate(f"document.getElementById('t').value = {json.dumps(text)}")
        browser.evaluate("document.getElementById('t').setSelectionRange(0, 0)")
        self.text, self.start, self.end = browser.state()
        self.write(text=self.text, start=self.start, end=self.end)

    def write(self, **record):
        self.out.write(json.dumps(record, ensure_ascii=False) + "\n")

    def note(self, did):
        text, start, end = self.browser.state()
        old = (self.text, self.start, self.end)
        if (text, start, end) == old:
            return False
        record = {"did": did}
        if text != self.text:
            at = len(os.path.commonprefix([self.text, text]))
            rest, more = self.text[at:], text[at:]
            tail = len(os.path.commonprefix([rest[::-1], more[::-1]]))
            record.update(at=at, cut=len(rest) - tail, put=more[:len(more) - tail])
        elif did not in ("undo", "redo", "submit"):
            record["did"] = "select" if start != end else "move"
        record.update(start=start, end=end)
        if self.clipboard != self.told:
            record["clipboard"] = self.told = self.clipboard
        self.text, self.start, self.end = text, start, end
        self.write(**record)
        self.lines += 1
        return True

    @property
    def selected(self):
        return self.text[self.start:self.end]


class Person:
    """Does what people do in a text area, at random, by real events."""

    def __init__(self, browser, recorder, kind, seed):
        self.browser = browser
        self.recorder = recorder
        self.kind = kind
        self.random = random.Random(seed)
        self.source = texts.SOURCES[kind]
        self.place = 0

    def chance(self, share):
        return self.random.random() < share

    def press(self, did, name, modifiers=0, times=1):
        for _ in range(times):
            self.browser.key(name, modifiers)
            self.recorder.note(did)

    # Typing.

    def type_character(self, character):
        if character == "\n":
            self.browser.key("Enter", text="\r")
        elif ord(character) > 0xFFFF:
            self.browser.call("Input.insertText", text=character)
        else:
            self.browser.key(character, text=character)
        self.recorder.note("type")

    def next_words(self, count):
        words = self.source
        piece = [words[(self.place + i) % len(words)] for i in range(count)]
        self.place = (self.place + count) % len(words)
        return piece

    def type_run(self):
        for word in self.next_words(self.random.randint(1, 4)):
            if isinstance(word, tuple):
                self.compose(*word)
                continue
            for character in word:
                if self.chance(0.02):
                    self.type_character(self.random.choice("aeiost"))
                    self.press("erase", "Backspace")
                self.type_character(character)

    def compose(self, steps, commit):
        """A Japanese word: what the composition shows, key by key, then what is committed."""
        for step in steps:
            self.browser.call("Input.imeSetComposition", text=step, selectionStart=len(step),
                              selectionEnd=len(step))
            self.recorder.note("compose")
        if commit != steps[-1]:
            self.browser.call("Input.imeSetComposition", text=commit, selectionStart=len(commit),
                              selectionEnd=len(commit))
            self.recorder.note("compose")
        self.browser.call("Input.insertText", text=commit)
        self.recorder.note("compose")

    # Erasing.

    def erase(self):
        name = "Backspace" if self.chance(0.85) else "Delete"
        if self.chance(0.2):
            self.press("erase", name, CONTROL)
        else:
            self.press("erase", name, times=self.random.randint(1, 6))

    # Moving and selecting.

    def place_in_text(self):
        return self.random.randint(2, 600), self.random.randint(2, 400)

    def move(self):
        way = self.random.random()
        if way < 0.35:
            self.press("move", self.random.choice(["ArrowLeft", "ArrowRight"]),
                       times=self.random.randint(1, 6))
        elif way < 0.5:
            self.press("move", self.random.choice(["ArrowUp", "ArrowDown"]),
                       times=self.random.randint(1, 3))
        elif way < 0.6:
            self.press("move", self.random.choice(["ArrowLeft", "ArrowRight"]), CONTROL,
                       times=self.random.randint(1, 3))
        elif way < 0.7:
            self.press("move", self.random.choice(["Home", "End"]))
        elif way < 0.75:
            self.press("move", self.random.choice(["Home", "End"]), CONTROL)
        else:
            self.browser.click(*self.place_in_text())
            self.recorder.note("move")
        if self.recorder.start != len(self.recorder.text) and self.chance(0.3):
            self.press("move", "End", CONTROL)

    def select(self):
        way = self.random.random()
        if way < 0.35:
            self.press("select", self.random.choice(["ArrowLeft", "ArrowRight"]), SHIFT,
                       times=self.random.randint(1, 8))
        elif way < 0.45:
            self.press("select", self.random.choice(["ArrowLeft", "ArrowRight"]), SHIFT | CONTROL,
                       times=self.random.randint(1, 3))
        elif way < 0.55:
            self.press("select", self.random.choice(["Home", "End", "ArrowUp", "ArrowDown"]), SHIFT)
        elif way < 0.75:
            x, y = self.place_in_text()
            self.browser.click(x, y)
            self.recorder.note("move")
            self.browser.mouse("mousePressed", x, y, 2)
            self.browser.mouse("mouseReleased", x, y, 2)
            self.recorder.note("select")
        elif way < 0.83:
            x, y = self.place_in_text()
            for count in (1, 2, 3):
                self.browser.mouse("mousePressed", x, y, count)
                self.browser.mouse("mouseReleased", x, y, count)
                self.recorder.note("move" if count == 1 else "select")
        elif way < 0.98:
            x, y = self.place_in_text()
            self.browser.mouse("mousePressed", x, y)
            self.recorder.note("move")
            self.browser.mouse("mouseMoved", self.random.randint(2, 600),
                               min(418, max(1, y + self.random.choice([0, 0, 0, 24, -24, 48]))))
            self.recorder.note("select")
            self.browser.mouse("mouseReleased", x, y)
        else:
            self.browser.key("a", CONTROL)
            self.recorder.note("select")
        if self.recorder.selected:
            self.with_selection()

    def with_selection(self):
        if len(self.recorder.selected) > 120 and self.chance(0.9):
            self.press("move", "ArrowRight")
            return
        way = self.random.random()
        if way < 0.2:
            self.press("erase", self.random.choice(["Backspace", "Backspace", "Delete"]))
        elif way < 0.4:
            self.recorder.clipboard = self.recorder.selected
            self.press("cut", "x", CONTROL)
        elif way < 0.55:
            self.recorder.clipboard = self.recorder.selected
            self.browser.key("c", CONTROL)
        elif way < 0.75:
            self.type_run()
        elif way < 0.85 and self.recorder.clipboard:
            self.press("paste", "v", CONTROL)
        elif way < 0.95:
            self.press("move", self.random.choice(["ArrowLeft", "ArrowRight"]))
        else:
            self.browser.click(*self.place_in_text())
            self.recorder.note("move")

    def paste(self):
        if self.recorder.clipboard:
            self.press("paste", "v", CONTROL)

    def undo(self):
        self.press("undo", "z", CONTROL, times=self.random.choice([1, 1, 1, 2, 2, 3, 4]))
        if self.chance(0.55):
            self.press("redo", "z", CONTROL | SHIFT, times=self.random.choice([1, 1, 1, 2, 3]))

    def submit(self):
        """What a page does with a message: it takes the text and clears the field."""
        self.browser.evaluate("document.getElementById('t').value = ''")
        self.recorder.note("submit")

    def act(self):
        if self.kind == "chat":
            if not self.recorder.text:
                self.type_run()
                return
            deeds = [(8, self.type_run), (2, self.erase), (2, self.move), (1, self.select),
                     (1, self.paste), (1, self.undo), (5, self.submit)]
            self.random.choices([d for _, d in deeds], [w for w, _ in deeds])[0]()
            return
        if len(self.recorder.text) < 60:
            self.type_run()
            return
        deeds = [(8, self.type_run), (4, self.erase), (7, self.move), (6, self.select),
                 (1.5, self.paste), (3, self.undo)]
        self.random.choices([d for _, d in deeds], [w for w, _ in deeds])[0]()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=sorted(texts.SOURCES))
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actions", type=int, default=1500)
    options = parser.parse_args()
    try:
        with Browser(options.chromium) as browser:
            recorder = Recorder(browser, sys.stdout, texts.STARTS[options.kind])
            person = Person(browser, recorder, options.kind, options.seed)
            while recorder.lines < options.actions:
                person.act()
    except Failed as failed:
        raise SystemExit(str(failed)) from None


if __name__ == "__main__":
    main()
