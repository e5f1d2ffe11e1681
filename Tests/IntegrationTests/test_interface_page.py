"""io.contextdiff(7) has a word on each method, type, member, value and error of the interface."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/io.contextdiff.7").read_text()
TEXT = (ROOT / "Sources/ContextDiffWire/io.contextdiff.varlink").read_text()
# Types that others are made of, whose members stand with those.
DEFINITION = re.compile(r"^(type|method|error) (\w+) ?\((.*?)\)(?: -> \((.*?)\))?$", re.M | re.S)


def definitions():
    plain = re.sub(r"#.*", "", TEXT)
    return [match.groups() for match in DEFINITION.finditer(plain)]


def parts(body):
    return [part.split(":")[0].strip() for part in (body or "").split(",") if part.strip()]


def section(title):
    return re.split(r"\n\.S[sh] ", PAGE.split(f"\n.Ss {title}\n")[1])[0]


def entry(mark, name, text):
    """What stands below a name in a list, up to the next of its sort."""
    return re.search(rf"(?ms)^\.It {mark} {name}\b.*?(?=^\.It {mark} |\Z)", text)[0]


# What several methods take stands once: "..." in a method's line is what the page lists as evidence.
EVIDENCE = re.findall(r"(?m)^\.It Va (\w+)$", section("Evidence"))
# Where the members of a type stand.
TYPES = {
    "Snapshot": section("Snapshots"), "Window": section("Windows"), "Kind": section("Kinds"),
    "Edit": section("Announced edits"), "Unit": section("Announced edits"),
    "Composition": entry("Va", "composition", section("Evidence")), "Cause": entry("Va", "cause", section("Evidence")),
    "Key": entry("Va", "key", section("Evidence")),
    "Transition": section("Transitions"), "Event": section("Transitions"), "Announcement": section("Transitions"),
    "Certainty": entry("Va", "certainty", section("Transitions")), "Extent": entry("Va", "cursorOffset", section("Transitions")),
    "SessionInfo": entry("Fn", "ListSessions", section("Methods")), "Statistics": entry("Fn", "GetStatistics", section("Methods")),
}


def own(sort, name):
    """The part of the page that is about a definition."""
    if sort == "type":
        return TYPES[name]
    return entry("Fn", name, section("Methods")) if sort == "method" else entry("Em", name, section("Errors"))


def test_every_definition_was_found():
    assert len(definitions()) == len(re.findall(r"^(?:type|method|error) ", TEXT, re.M))


@pytest.mark.parametrize("sort, name, members, reply", definitions(), ids=lambda value: str(value)[:20])
def test_each_part_has_a_word(sort, name, members, reply):
    text = own(sort, name)
    taken, given = parts(members), parts(reply)
    if sort == "method":
        words = text.split("\n")[0].split()[3:]
        assert [member for word in words for member in (EVIDENCE if word == "..." else [word])] == taken
        # The line has named them.
        taken = []
    if name == "Event":
        assert set(EVIDENCE) <= set(taken)
        taken = [member for member in taken if member not in EVIDENCE]
    mark = "Cm" if sort == "type" and ":" not in members else "Va"
    for member in taken + given:
        assert re.search(rf"(?m)^\.(?:It |Pq )?{mark} (?:\w+ , )*{member}\b", text), f"{name}.{member}"
