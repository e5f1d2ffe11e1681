"""What is written about the daemon says what the daemon does."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

from machine import BUILD, SOURCE

PAGES = ["contextdiffctl.1", "contextdiffd.yaml.5", "io.contextdiff.7", "contextdiffd.8"]


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


def commands(command):
    yield command
    for inner in command.get("subcommands", []):
        yield from commands(inner)


@pytest.mark.skipif(not (BUILD / "contextdiffctl").exists(), reason=f"needs the built programs in {BUILD}")
@pytest.mark.parametrize("program, page", [("contextdiffd", "contextdiffd.8"), ("contextdiffctl", "contextdiffctl.1")])
def test_a_page_has_every_option_and_no_other(program, page):
    help_ = json.loads(subprocess.run(
        [BUILD / program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)
    options, names = set(), set()
    for command in commands(help_["command"]):
        if command["commandName"] == "help":
            continue
        names.add(command["commandName"])
        for argument in command.get("arguments", []):
            if argument.get("shouldDisplay", True):
                options |= {name["name"] for name in argument.get("names", []) if name["kind"] == "long"}
    text = (SOURCE / "docs" / page).read_text()
    written = set(re.findall(r"(?:Fl|\|) -([a-z-]+)", text))
    assert written == options
    assert all(re.search(rf"\b{name}\b", text) for name in names)


def settings():
    """The settings that the daemon knows, by its own --help: name and default."""
    source = (SOURCE / "Sources/ContextDiffService/Settings/Setting.swift").read_text()
    return re.findall(r'Setting\(\s*"([A-Za-z.]+)"', source)


def test_each_setting_is_in_the_default_file_and_in_its_page():
    names = settings()
    assert len(names) > 10
    page = (SOURCE / "docs/contextdiffd.yaml.5").read_text()
    file = (SOURCE / "systemd/contextdiffd.yaml").read_text()
    for name in names:
        last = name.split(".")[-1]
        assert f".It Va {last}\n" in page
        assert re.search(rf"(?m)^\s*#{last}: ", file), name
    written = re.findall(r"(?m)^\s*#([a-zA-Z]+):", file)
    assert sorted(written) == sorted({name.split(".")[-1] for name in names} | {"limits"})


@pytest.mark.skipif(not (BUILD / "contextdiffd").exists(), reason=f"needs the built programs in {BUILD}")
def test_the_default_file_says_the_defaults(tmp_path):
    file = (SOURCE / "systemd/contextdiffd.yaml").read_text()
    everything = tmp_path / "all.yaml"
    everything.write_text(re.sub(r"(?m)^(\s*)#(?=\S)", r"\1", file))
    help_ = [BUILD / "contextdiffd", "--help"]
    shown = subprocess.run(help_, capture_output=True, text=True, check=True).stdout
    for name, value in re.findall(r'(?m)^ *#([a-zA-Z]+): "?([^"\n]+)"?$', file):
        assert re.search(rf"{name}\b[^\n]*\b?{re.escape(value)}", shown), name
