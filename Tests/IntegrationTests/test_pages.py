"""The public libraries' pages are made without a warning: every name that they refer to is there."""

import json
import re
import shutil
import subprocess

import pytest

from conftest import PATIENCE, PROGRAMS, ROOT, environment

pytestmark = [
    pytest.mark.skipif(shutil.which("swift") is None, reason="needs swift"),
    pytest.mark.skipif(not (PROGRAMS / "Modules").exists(), reason=f"needs the modules of a build in {PROGRAMS}"),
]


def made(folder, *libraries):
    return subprocess.run(
        [ROOT / "scripts/documentation", PROGRAMS, folder, *libraries], capture_output=True, text=True, env=environment(),
        timeout=PATIENCE)


@pytest.mark.slow
def test_each_public_library_has_pages(folder):
    done = made(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    products = re.findall(r'\.library\(name: "([A-Z]\w*)"', (ROOT / "Package.swift").read_text())
    assert {path.stem for path in folder.glob("*.doccarchive")} == set(products)
    tutorial = json.loads((folder / "ContextDiff.doccarchive/data/tutorials/contextdiff/fromkeyholetoreading.json").read_text())
    steps = [step for section in tutorial["sections"] for task in section.get("tasks", []) for step in task["stepsSection"]]
    programs = list((ROOT / "Sources/ContextDiff/Documentation.docc/Tutorials").glob("*.swift"))
    assert sorted(step["code"] for step in steps) == sorted(path.name for path in programs)
