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


# What several methods take stands once: "..." in a method's line is what the page lists as evidence.
EVIDENCE = re.findall(r"(?m)^\.It Va (\w+)$", PAGE.split("\n.Ss Evidence\n")[1].split("\n.Ss ")[0])


def test_every_definition_was_found():
    assert len(definitions()) == len(re.findall(r"^(?:type|method|error) ", TEXT, re.M))


@pytest.mark.parametrize("sort, name, members, reply", definitions(), ids=lambda value: str(value)[:20])
def test_each_part_has_a_word(sort, name, members, reply):
    if sort == "method":
        line = re.search(rf"(?m)^\.It Fn {name}\b(.*)$", PAGE)[1].split()
        assert [member for word in line for member in (EVIDENCE if word == "..." else [word])] == parts(members)
    if (sort, name) == ("type", "Event"):
        assert not set(EVIDENCE) - set(parts(members))
    if sort == "error":
        assert f".It Em {name}\n" in PAGE
    is_choice = ":" not in members
    for member in parts(members) + parts(reply):
        mark = "Cm" if is_choice and sort == "type" else "Va"
        words = rf"(?m)^\.(?:It |Pq |Ft )?{mark} {member}\b|^\.It Fn {name}.* {member}\b"
        assert re.search(words, PAGE), f"{name}.{member}"
