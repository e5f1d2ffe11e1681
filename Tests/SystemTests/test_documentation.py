"""What is written about the daemon says what the daemon does."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from machine import BIN, SOURCE

PAGES = ["libcontextdiff.3", "contextdiffctl.1", "contextdiffd.yaml.5", "io.contextdiff.7", "contextdiffd.8", "fcitx5-contextdiff.7"]


def catalog(name):
    """The entries of a catalog by their ids."""
    parts = re.split(r"(?m)^-- ([0-9a-f]{32})$", (SOURCE / "systemd" / name).read_text())
    return dict(zip(parts[1::2], parts[2::2]))


def message_ids():
    source = (SOURCE / "Sources/ContextDiffService/MessageID.swift").read_text()
    return re.findall(r'case \w+ = "([0-9a-f]{32})"', source)


@pytest.mark.parametrize("name", ["contextdiffd.catalog", "contextdiffd.ja.catalog"])
def test_each_message_id_is_explained(name):
    entries = catalog(name)
    assert sorted(entries) == sorted(message_ids())
    for text in entries.values():
        head, body = text.strip().split("\n\n", 1)
        assert {line.split(":")[0] for line in head.splitlines()} == {"Subject", "Defined-By", "Documentation"}
        assert len(body) > 60


def test_both_languages_name_the_same_fields():
    english, japanese = catalog("contextdiffd.catalog"), catalog("contextdiffd.ja.catalog")
    for number, text in english.items():
        assert set(re.findall("@[A-Z_]+@", text)) == set(re.findall("@[A-Z_]+@", japanese[number]))


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="needs mandoc")
@pytest.mark.parametrize("page", PAGES)
def test_pages_are_well_formed(page):
    checked = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", SOURCE / "docs" / page], capture_output=True, text=True, check=False)
    assert checked.stdout == ""


def test_each_look_alike_is_in_the_engine_s_overview():
    source = (SOURCE / "Sources/ContextDiff/Weighing/LookAlike.swift").read_text()
    table = source.partition("static let table = [")[2].partition("\n  ]\n")[0]
    overview = (SOURCE / "Sources/ContextDiff/Documentation.docc/ContextDiff.md").read_text()
    always, _, lasts = overview.partition("taken from two tables")[2].partition("\n## ")[0].partition("And this one only")
    rows = re.compile(r"(?m)^\| (?!found)")
    assert len(rows.findall(lasts)) == table.count("isLast: true")
    assert len(rows.findall(always)) == table.count("LookAlike(") - table.count("isLast: true")


built = pytest.mark.skipif(not (BIN / "contextdiffd").exists(), reason=f"needs the built programs in {BIN}")


@built
def test_the_page_of_contextdiffctl_is_what_the_program_says_of_itself():
    made = subprocess.run(
        [sys.executable, SOURCE / "docs/contextdiffctl.1.py", BIN / "contextdiffctl"],
        capture_output=True, text=True, check=True)
    assert (SOURCE / "docs/contextdiffctl.1").read_text() == made.stdout


@built
def test_the_page_of_contextdiffd_has_every_option_and_no_other():
    told = subprocess.run(
        [BIN / "contextdiffd", "--experimental-dump-help"], capture_output=True, text=True, check=True)
    options = {name["name"] for argument in json.loads(told.stdout)["command"]["arguments"]
               if argument["shouldDisplay"] for name in argument["names"] if name["kind"] == "long"}
    written = set(re.findall(r"(?:Fl|\|) -([a-z-]+)", (SOURCE / "docs/contextdiffd.8").read_text()))
    assert written == options


def default_in(entry):
    """The default that a setting's entry tells, in one of three ways: behind a range, by itself, or "(none)"."""
    return re.search(r"\(\d+ to \d+; (?P<number>\d+)(?:: never)?\)|\.Pq (?:Ql|Cm) (?P<word>\S+) \.|\((?P<none>none)\)",
                     " ".join(entry.split())).expand(r"\g<number>\g<word>\g<none>")


@built
def test_each_setting_is_in_its_page_and_in_the_default_file_with_its_default():
    help_ = subprocess.run([BIN / "contextdiffd", "--help"], capture_output=True, text=True, check=True).stdout
    told = re.findall(r"(?m)^ +([a-zA-Z.]+) = (.+)$", help_)
    assert len(told) > 10
    page = (SOURCE / "docs/contextdiffd.yaml.5").read_text()
    for name, default in told:
        last = name.split(".")[-1]
        entry = re.search(rf"\.It Va {last}\n(.*?)(?=\.It|\.El)", page, re.DOTALL)
        assert entry, name
        assert default_in(entry[1]) == default.replace("(empty)", "none"), name
    file = (SOURCE / "systemd/contextdiffd.yaml").read_text()
    written = dict(re.findall(r'(?m)^ *#([a-zA-Z]+): "?([^"\n]*)"?$', file))
    assert written == {name.split(".")[-1]: default.replace("(empty)", "") for name, default in told}


def test_each_numbers_range_is_in_its_page():
    source = (SOURCE / "Sources/ContextDiffService/Settings/Setting.swift").read_text()
    ranges = re.findall(r'"([\w.]+)", \.integer\([^,]+, ([\w <]+)\.\.\.([\w. <]+)\)', source)
    assert len(ranges) == source.count(", .integer(") > 10
    interface = (SOURCE / "Sources/ContextDiffWire/Interface.swift").read_text()

    def number(text):
        if text.startswith("Interface."):
            return number(re.search(rf" {text.removeprefix('Interface.')} = (.+)\n", interface)[1])
        value, _, less = text.partition(" - ")
        value, _, shift = value.partition(" << ")
        return (int(value) << int(shift or 0)) - int(less or 0)

    page = (SOURCE / "docs/contextdiffd.yaml.5").read_text()
    for name, least, most in ranges:
        entry = re.search(rf"\.It Va {name.split('.')[-1]}\n(.*?)(?=\.It|\.El)", page, re.DOTALL)
        assert f"({number(least)} to {number(most)}" in " ".join(entry[1].split()), name
