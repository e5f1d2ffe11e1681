"""A seeded person edits in each toolkit, through each input method; what is read is laid beside what the program says was done."""

from conftest import both_methods
from judged import Judged
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
    # A host may tell what none can read; but its news are read.
    assert judged.others["unread"] <= ACTS / 10
    log = open(f"{method.desk.folder}/errors.txt", encoding="utf-8", errors="replace").read()
    for line in text.split("\n"):
        assert len(line) < 6 or line not in log


# What of the acts that are told for themselves is read right at least: well below what was counted when this was written (firefox 82 to
# 92 %, gtk3 92 to 94, gtk4 94 to 95, qt6 88 to 92; the aim is 98), since a busy machine's person meets other news.
FLOORS = {"firefox": 0.75, "gtk3": 0.8, "gtk4": 0.85, "qt6": 0.8}
