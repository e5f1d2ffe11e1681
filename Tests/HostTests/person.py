"""A seeded person at the desk: each act is done and settled before the next begins."""

import random
import time

from desk import PATIENCE, Silence
from texts import CLIPBOARDS, COMMITS, PREEDITS

# Characters that the US layout types with Shift held.
SHIFTED = set('~!@#$%^&*()_+{}|:"<>?ABCDEFGHIJKLMNOPQRSTUVWXYZ')

MOVES = ["Left", "Right", "Up", "Down", "Home", "End", "ctrl+Left", "ctrl+Right", "ctrl+Home", "ctrl+End"]
SELECTIONS = ["shift+Left", "shift+Right", "shift+Home", "shift+End", "shift+Up", "shift+Down", "ctrl+shift+Left", "ctrl+shift+Right"]
ERASURES = ["BackSpace"] * 5 + ["Delete"] * 3 + ["ctrl+BackSpace", "ctrl+Delete"]


class Act:
    """One thing done: its name, when it began and ended, and what the program held then."""

    def __init__(self, how, does, start):
        self.how, self.does, self.start = how, does, start
        self.end = None
        self.state = None
        self.pasteboard = None


class Person:
    def __init__(self, desk, method, program, seed, words):
        self.desk, self.method, self.program = desk, method, program
        self.chance = random.Random(seed)
        self.words = words
        self.acts = []
        self.reach()
        self.pasteboard = self.starting_pasteboard = self.chance.choice(CLIPBOARDS)
        program.ask("copy", text=self.pasteboard)
        self.state = program.state()
        # Two clicks at nearly one place would be a double click.
        self.last_click = None

    def reach(self):
        """Taps Shift until the input method sees it, and takes the count of keys from there."""
        seen = self.method.releases()
        while self.method.releases() == seen:
            self.desk.hand("key", "Shift_L")
            try:
                self.method.feed.wait(lambda all: self.method.releases() > seen, "key", patience=2)
            except Silence:
                pass
        self.released, self.ahead = 0, 0
        self.settle()
        self.released, self.ahead = self.method.releases(), self.program.ask("sync")["released"] - self.method.releases()

    def edit(self, acts):
        """Does things until at least so many acts are done."""
        kinds = [(self.type_words, 16), (self.commit, 9), (self.compose, 5), (self.move, 12), (self.click, 10), (self.select, 10),
                 (self.erase, 11), (self.cut, 4), (self.copy, 3), (self.paste, 6), (self.undo, 6), (self.new_line, 5)]
        while len(self.acts) < acts:
            self.chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()

    def do(self, how, does, *hand, keys=0):
        act = Act(how, does, time.monotonic())
        self.acts.append(act)
        act.states = len(self.program.feed.all)
        self.desk.hand(*hand)
        self.released += keys
        self.settle()
        act.end = time.monotonic()
        act.state = self.state = self.program.state()
        act.states = [x for x in self.program.feed.all[act.states:] if x["e"] == "state"]
        act.pasteboard = self.pasteboard
        return act

    def settle(self):
        """Until the input method and then the program had every key, and nobody has told anything for a while."""
        self.method.feed.wait(lambda all: self.method.releases() >= self.released, "key")
        deadline = time.monotonic() + PATIENCE
        while self.program.ask("sync")["released"] - self.ahead < self.released:
            if time.monotonic() > deadline:
                raise Silence(f"{self.program.kind}: a key did not come up")
            time.sleep(0.002)
        told = None
        while told != (told := (len(self.method.feed.all), self.program.state(), len(self.program.states()))):
            time.sleep(0.03)

    def press(self, keys, does):
        return self.do(f"key {keys}", does, "key", "--delay", "2", keys, keys=keys.count("+") + 1)

    def engine(self, does, how, *order):
        self.method.order(*order)
        self.ahead -= self.desk.swallows_releases
        return self.do(how, does, "key", "F9", keys=1)

    def type_words(self):
        text = self.chance.choice(self.words)
        start = self.chance.randrange(len(text))
        text = text[start:start + self.chance.randint(1, 7)]
        for character in text:
            if character.isascii():
                self.do(f'type "{text}"', "type", "type", "--", character, keys=2 if character in SHIFTED else 1)

    def commit(self):
        texts = self.chance.choices(COMMITS, k=self.chance.randint(1, 3))
        for text in texts:
            self.engine("commit", "commit " + " ".join(texts), "commit", text)

    def compose(self):
        text = self.chance.choice(PREEDITS)
        for end in range(1, len(text) + 1):
            self.engine("compose", f"compose {text}", "preedit", text[:end])
        end = self.chance.random()
        if end < 0.5:
            committed = self.chance.choice([text, "漢字", "東京"])
            self.engine("commit", f"{committed} committed", "commit", committed)
        elif end < 0.8:
            self.click()
        else:
            self.engine("compose", "composition cleared", "clear")

    def move(self):
        keys = self.chance.choice(MOVES)
        for _ in range(self.chance.choice([1, 1, 1, 2, 3])):
            self.press(keys, "move")

    def select(self):
        if self.chance.random() < 0.03:
            self.press("ctrl+a", "move")
            return
        keys = self.chance.choice(SELECTIONS)
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            self.press(keys, "move")

    def place(self):
        text = self.state[0]
        while True:
            place = self.program.ask("place", offset=self.chance.randint(0, len(text)))
            x, y = place["x"], place["y"]
            if self.last_click is None or abs(x - self.last_click[0]) + abs(y - self.last_click[1]) > 12 or len(text) < 8:
                self.last_click = x, y
                return str(x), str(y)

    def click(self):
        x, y = self.place()
        kind = self.chance.random()
        if kind < 0.5:
            self.do(f"click at {x},{y}", "click", "mousemove", x, y, "click", "1")
        elif kind < 0.65:
            self.do(f"shift+click at {x},{y}", "click", "keydown", "shift", "mousemove", x, y, "click", "1", "keyup", "shift", keys=1)
        elif kind < 0.8:
            x2, y2 = self.place()
            self.do(f"drag from {x},{y} to {x2},{y2}", "click", "mousemove", x, y, "mousedown", "1", "mousemove", x2, y2, "mouseup", "1")
        else:
            times = "2" if kind < 0.92 else "3"
            self.do(f"{times} clicks at {x},{y}", "click", "mousemove", x, y, "click", "--repeat", times, "--delay", "20", "1")

    def erase(self):
        keys = self.chance.choice(ERASURES)
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            self.press(keys, "erase")

    def cut(self):
        if self.state[1] == self.state[2]:
            self.select()
        self.press("ctrl+x", "cut")
        self.see_pasteboard()

    def copy(self):
        if self.state[1] == self.state[2]:
            self.select()
        self.press("ctrl+c", "copy")
        self.see_pasteboard()

    def see_pasteboard(self):
        text = self.program.ask("clipboard")["clipboard"]
        if text:
            self.pasteboard = self.acts[-1].pasteboard = text

    def paste(self):
        for _ in range(self.chance.choice([1, 1, 1, 2])):
            self.press("ctrl+v", "paste")

    def undo(self):
        count = self.chance.choice([1, 1, 2, 3])
        for _ in range(count):
            self.press("ctrl+z", "undo")
        if self.chance.random() < 0.5:
            for _ in range(self.chance.randint(1, count)):
                self.press(self.program.redo, "redo")

    def new_line(self):
        self.press("Return", "return")
