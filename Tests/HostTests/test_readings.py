"""A seeded person edits in each toolkit, through each input method; what is read is laid beside what the program says was done."""

from conftest import both_methods
from judged import CERTAIN_BUT_WRONG, Judged
from person import Person
from texts import STARTS
from witness import Witness

ACTS = 100
TEXTS = {"firefox": "letter", "gtk3": "kyoto", "gtk4": "script", "qt6": "list"}


@both_methods
def test_the_acts_are_read_right(host, toolkit, figures):
    text, words = STARTS[TEXTS[toolkit]]
    method, program = host(text)
    person = Person(method.desk, method, program, f"test {toolkit}", words)
    start = person.state
    person.edit(ACTS)
    person.press("Shift_L", "move")
    judged = Judged(Witness(person, start, whole_lines=True).pairs(), knows_clipboard=method.name == "fcitx5")
    figures.append(f"{toolkit}, {method.name}: {judged}")
    for line in judged.lines():
        print(line)
    assert judged.told >= ACTS / 10, "hardly anything was told"
    assert len(judged.right) / judged.told >= FLOORS[toolkit]
    assert judged.certain_but_wrong <= CERTAIN_BUT_WRONG
    # A host may tell what none can read; but its news are read.
    assert judged.others["unread"] <= ACTS / 10
    log = open(f"{method.desk.folder}/errors.txt", encoding="utf-8", errors="replace").read()
    for line in text.split("\n"):
        assert len(line) < 6 or line not in log


# What of the acts that are told for themselves is read right at least: below what was counted when this was written (firefox and gtk3 all,
# gtk4 98 %, qt6 97 to 100; in sessions with other texts and seeds 915 of 925, and 88 to 100 % of each), since a busy machine's person
# meets other news.
FLOORS = {"firefox": 0.85, "gtk3": 0.9, "gtk4": 0.9, "qt6": 0.9}
