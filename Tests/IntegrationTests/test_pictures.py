"""The pictures in the tree are what the programs say today."""

import subprocess

from conftest import PATIENCE, PROGRAMS, ROOT, environment

PLACES = ["docs/pictures", "Sources/ContextDiff/Documentation.docc/Resources"]


def test_the_committed_pictures_are_the_programs_own(folder):
    done = subprocess.run(
        [ROOT / "scripts" / "pictures", PROGRAMS, folder], capture_output=True, text=True, env=environment(),
        timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    for place in PLACES:
        drawn = {path.name: path.read_text() for path in (folder / place).iterdir()}
        committed = {path.name: path.read_text() for path in (ROOT / place).iterdir()}
        assert drawn.keys() == committed.keys()
        different = [name for name in drawn if drawn[name] != committed[name]]
        assert different == [], "run `make pictures`, and look at them"


def test_the_readme_shows_them(folder):
    readme = (ROOT / "README.md").read_text()
    for path in (ROOT / "docs/pictures").iterdir():
        assert f"docs/pictures/{path.name}" in readme
    engine = (ROOT / "Sources/ContextDiff/Documentation.docc/ContextDiff.md").read_text()
    for path in (ROOT / PLACES[1]).iterdir():
        assert f"({path.stem})" in engine
