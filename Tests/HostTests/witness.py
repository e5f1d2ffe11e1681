"""What really happened between two snapshots: each is laid beside the states that the program went through."""

import re

MOVES = ["selection", "deselection", "cursorMove", "outOfRangeTap"]


def shown(news, toolkit, method, whole_lines=False):
    """Before, selected and after, as an input method would take them from what it was told.

    With `whole_lines` what GTK 3 and Firefox show of a second line is left away, as libcontextdiff does.
    """
    text, cursor, anchor = news["text"], news["cursor"], news["anchor"]
    if toolkit.startswith("qt") and method == "ibus":
        # UTF-16 units; an anchor outside the block comes as a negative number, or as one beyond the block's end.
        anchor = anchor - (1 << 32) if anchor >= 1 << 31 else anchor
        units = text.encode("utf-16-le")
        cursor, anchor = (len(units[:2 * min(max(x, 0), len(units) // 2)].decode("utf-16-le", "ignore")) for x in (cursor, anchor))
    elif toolkit == "gtk4" and method == "ibus":
        # The cursor is the selection's fixed end, and the anchor lies as far from it as the caret, on the other side.
        caret = 2 * cursor - anchor
        anchor = caret if 0 <= caret <= len(text) else cursor
    start, end = sorted((min(cursor, len(text)), min(anchor, len(text))))
    if whole_lines and toolkit in ("gtk3", "firefox"):
        left, right = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        right = len(text) if right < 0 else right
        text, start, end = text[left:right], start - left, end - left
    return text[:start] or None, text[start:end] or None, text[end:] or None


def match(snapshot, state, shows_lines=False):
    """How a snapshot shows a state: exact, noSelection, partial or not at all.

    With `shows_lines` the host shows whole lines, so that a part of one shows another state: an empty one no caret within text.
    """
    text, anchor, caret = state
    start, end = sorted((anchor, caret))
    before, selected, after = (part or "" for part in snapshot)

    def lies(at_start, at_end):
        if not (text[:at_start].endswith(before) and text[at_start:at_end] == selected and text[at_end:].startswith(after)):
            return False
        left, right = text[:at_start - len(before)], text[at_end + len(after):]
        return not shows_lines or left[-1:] in ("", "\n") and right[:1] in ("", "\n")

    if lies(start, end):
        return "exact"
    if start == end:
        return None
    if not selected:
        return "noSelection" if lies(start, start) or lies(end, end) else None
    for at_start, at_end in ((start, start + len(selected)), (end - len(selected), end)):
        if start <= at_start and at_end <= end and lies(at_start, at_end):
            return "partial"
    return None


def changed(old, new):
    """What was taken away from a text and put in its place, with where it was."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, old[start:len(old) - end], new[start:len(new) - end]


def kind(act, old, new, visible, pasteboard):
    """The act's name, and the names that are as good."""
    (text, anchor, caret), (new_text, new_anchor, new_caret) = old, new
    if old == new:
        return "unchanged", []
    if text == new_text:
        if {new_anchor, new_caret} == {anchor, caret}:
            return "unchanged", ["selection", "windowShift"]
        if new_anchor != new_caret:
            start, end = sorted((new_anchor, new_caret))
            whole = (new_text[:start].endswith("\n") and re.fullmatch(r"[^\n]+\n?", new_text[start:end])
                     and (new_text[end - 1] == "\n" or new_text[end:end + 1] in ("", "\n")))
            return "selection", ["lineSelection"] if whole else []
        inside = visible[0] <= new_caret <= visible[1]
        if anchor != caret and act.does in ("type", "commit", "return", "paste"):
            # The same text over the selection: what was done, and what it looks like.
            return "paste" if act.does == "paste" else "replacement", ["deselection", "lineDeselection", "paste"]
        if anchor != caret:
            return ("deselection", ["lineDeselection"]) if inside else ("outOfRangeTap", ["deselection"])
        return ("cursorMove", []) if inside else ("outOfRangeTap", [])
    _, removed, inserted = changed(text, new_text)
    one = len(removed) + len(inserted) <= 1 and anchor == caret and new_anchor == new_caret
    if act.does in ("undo", "redo"):
        return act.does, (["insertion"] if inserted else ["deletion"]) if one else []
    if act.does == "cut":
        return "cut", []
    if act.does == "paste":
        return "paste", []
    selected = text[min(anchor, caret):max(anchor, caret)]
    if act.does == "erase":
        return "deletion", ["cut"] if selected else []
    name = ("replacement" if selected else "insertion") if len(new_text) - len(text) + len(selected) > 0 else "deletion"
    put = new_text[min(anchor, caret):][:len(new_text) - len(text) + len(selected)]
    return name, ["paste"] if put and put == pasteboard else []


class Witness:
    """Turns one recorded session into pairs of snapshots, each with its truth."""

    def __init__(self, person, start, whole_lines=False):
        self.acts, self.toolkit, self.method = person.acts, person.program.kind, person.method.name
        self.whole_lines = whole_lines
        self.shows_lines = self.toolkit.startswith("qt") or self.toolkit in ("gtk3", "firefox")
        self.events = list(person.method.feed.all)
        self.starting_pasteboard = person.starting_pasteboard
        # What the program held after the acts so far, the start being number 0.
        self.settled = [start] + [act.state for act in self.acts]

    def act_at(self, time):
        """How many acts had begun by then."""
        return sum(act.start <= time for act in self.acts)

    def find(self, news, snapshot, last):
        """The state that a snapshot shows: (number of the settled state, its state, how it is shown, whether it was passing)."""
        now = self.act_at(news["t"])
        latest = now
        if now and not any(x["t"] <= news["t"] + 0.001 for x in self.acts[now - 1].states[-1:]):
            latest = now - 1
        for shows in ("exact", "noSelection", "partial"):
            for number in sorted(range(last, now + 1), key=lambda n: (n > latest, -n)):
                if match(snapshot, self.settled[number], self.shows_lines) == shows:
                    return number, self.settled[number], shows, False
            for number in range(now, max(last - 1, 0), -1):
                for passed in reversed(self.acts[number - 1].states[:-1]):
                    state = passed["text"], passed["anchor"], passed["caret"]
                    if match(snapshot, state, self.shows_lines) == shows:
                        # A drag's press is a move of its own; half of an edit is nothing that anybody did.
                        return number, state, shows, self.acts[number - 1].does not in ("click", "move")
        return None

    def pairs(self):
        old = None
        told, commits, keys = [], [], []
        wrong = False
        is_read = any(event["e"] == "transition" for event in self.events)
        for index, event in enumerate(self.events):
            if event["e"] in ("reset", "focusIn", "focusOut", "preedit", "clear"):
                told.append(event["e"])
            elif event["e"] == "commit":
                commits.append(event["text"])
            elif event["e"] == "key" and not event["release"] and not event["handled"]:
                keys.append(key_class(event))
            if event["e"] != "news" or "text" not in event:
                continue
            snapshot = shown(event, self.toolkit, self.method, self.whole_lines)
            if old is not None and snapshot == old[0]:
                # Equal news are no pair; what they prove is that the acts so far can't be seen.
                found = self.find(event, snapshot, old[1])
                if found and not wrong:
                    old = (snapshot,) + found
                continue
            reading = self.reading(index)
            if is_read and reading is None and commits and not event["text"][:event["cursor"]].endswith(commits[-1]):
                # The old text with the new caret: nobody was told.
                yield dict(self.pair(old, snapshot, None, wrong, event, told, commits, keys), input="held back", reading=None)
                continue
            found = self.find(event, snapshot, old[1] if old else 0)
            pair = self.pair(old, snapshot, found, wrong, event, told, commits, [key for key in keys if key])
            pair["reading"] = reading
            yield pair
            told, commits, keys = [], [], []
            wrong = found is None
            old = (snapshot,) + (found if found else (old[1], old[2], old[3], old[4]) if old else (0, self.settled[0], "exact", False))

    def reading(self, index):
        """The transition that was read from the news of this number, where somebody read it."""
        for event in self.events[index + 1:]:
            if event["e"] == "transition":
                return event
            if event["e"] == "news":
                break
        return None

    def pair(self, old, new, found, wrong, event, told, commits, keys):
        now = self.act_at(event["t"])
        act = self.acts[(found[0] if found else now) - 1] if now else None
        pasteboard = self.acts[found[0] - 1].pasteboard if found and found[0] else act.pasteboard if act else self.starting_pasteboard
        record = dict(
            old=old and fields(old[0]), new=fields(new), pasteboard=pasteboard, window="full", truth=None, accept=[], input="exact",
            how=act.how if act else "start", row=now, late=act and round(event["t"] - act.start, 4), rows=0, commits=commits,
            told=told, key=keys[-1] if keys else "none", keys=len(keys),
            host=dict(toolkit=self.toolkit, method=self.method, text=event["text"], cursor=event["cursor"], anchor=event["anchor"]))
        if old is None:
            return record
        if found is None:
            return dict(record, truth="?", input="wrong", rows=None)
        number, state, shows, passing = found
        _, last, last_state, last_shows, last_passing = old
        before, selected, after = (part or "" for part in old[0])
        start = min(last_state[1:])
        if last_shows != "exact" and not last_state[0][:start].endswith(before):
            start = max(last_state[1:])
        visible = start - len(before), start + len(selected) + len(after)
        steps, accepted = [], []
        at = last_state
        # An act that was seen half done comes to its end first.
        for step in range(max(last, 1), number + 1):
            to = state if step == number else self.settled[step]
            if to != at:
                name, also = kind(self.acts[step - 1], at, to, visible, self.acts[step - 1].pasteboard)
                steps.append(name)
                accepted += also
            at = to
        record["rows"] = now - number
        record["state"] = number
        record["crossesLine"] = "\n" in moved_over(last_state, state)
        if not steps:
            steps, accepted = ["windowShift"], ["unchanged"]
        record["truth"], record["accept"] = steps[-1], accepted
        if len(steps) > 1:
            record.update(input="merged", steps=steps, accept=sorted(set(steps[:-1] + accepted + MOVES + ["replacement"])))
        elif wrong:
            record.update(input="correction")
        elif passing or last_passing:
            record.update(input="passing", accept=["cut", "deletion", "insertion", "redo", "replacement", "undo"])
        elif "noSelection" in (shows, last_shows):
            record.update(input="noSelection")
            if steps[0] in MOVES + ["windowShift", "unchanged"]:
                record["accept"] = MOVES + ["windowShift"]
        elif "partial" in (shows, last_shows):
            record.update(input="partial")
        return record


def moved_over(old, new):
    """The text between two carets, or what an edit took and put."""
    if old[0] == new[0]:
        ends = sorted(old[1:] + new[1:])
        return old[0][ends[0]:ends[-1]]
    _, removed, inserted = changed(old[0], new[0])
    return removed + inserted


def fields(snapshot):
    return dict(zip(("before", "selected", "after"), snapshot))


def key_class(event):
    """The class of a key that went to the program, as a post's `key` has it; None for a modifier alone."""
    name, state = event["key"], event["state"]
    if name.rsplit("_", 1)[0] in ("Shift", "Control", "Alt", "Super", "Meta", "ISO_Level3", "Hyper") or name == "Caps_Lock":
        return None
    if name in ("Left", "Right", "Up", "Down", "Home", "End", "Page_Up", "Page_Down", "Prior", "Next"):
        return "caret"
    if name == "BackSpace":
        return "backspace"
    if name == "Delete":
        return "delete"
    if state & (4 | 8 | 64):
        if state & (8 | 64):
            return "shortcut"
        return {("z", 0): "undo", ("z", 1): "redo", ("y", 0): "redo", ("x", 0): "cut", ("v", 0): "paste", ("v", 1): "paste"}.get(
            (name.lower(), state & 1), "shortcut")
    return "return" if name in ("Return", "KP_Enter") else "character"
