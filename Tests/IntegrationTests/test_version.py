"""Everything that names the project's version names the same one."""

import re
import subprocess

import pytest

from conftest import ROOT

PLACES = {
    "Integrations/python/src/contextdiff/__init__.py": r'^__version__ = "(.*)"$',
    "Integrations/fcitx5/CMakeLists.txt": r"^project\(fcitx5-contextdiff VERSION (\S+) ",
    "packaging/debian/changelog": r"\Acontextdiff \((.*)\)",
    "CHANGELOG.md": r"\A(?:.*\n)*?## (\S+)$",
}


@pytest.fixture(scope="module")
def version():
    return subprocess.run([ROOT / "packaging/version.sh"], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("place", PLACES)
def test_it_is_the_daemons(version, place):
    assert re.findall(PLACES[place], (ROOT / place).read_text(), re.MULTILINE) == [version]


def test_the_headers_is_the_daemons(version):
    header = (ROOT / "Sources/CContextDiff/include/contextdiff.h").read_text()
    assert ".".join(re.findall(r"^#define CONTEXTDIFF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)) == version
