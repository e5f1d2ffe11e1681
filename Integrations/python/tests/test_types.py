"""That types hold as strictly as pyproject.toml says, in the package, its examples and where an input method uses it."""

import os
import pathlib

import pytest

api = pytest.importorskip("mypy.api", reason="needs mypy")

PACKAGE = pathlib.Path(__file__).resolve().parents[1]

USE = """
import contextdiff

kind: contextdiff.Kind = contextdiff.Kind("cut")
is_paste: bool = kind == "paste"
field = contextdiff.Field("ibus", toolkit="gtk3")
news: contextdiff.News | None = field.surrounding_text("text", 4, 4)
clipboard: str | None = None
if news:
    contextdiff.Session().post(news, pasteboard=clipboard, composition=None, old=None, cause=None, window=None, key=None)
"""


@pytest.fixture
def package_found(monkeypatch):
    monkeypatch.setitem(os.environ, "MYPYPATH", str(PACKAGE / "src"))


def check(arguments, tmp_path):
    out, err, status = api.run([
        "--config-file", str(PACKAGE / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache"), *arguments])
    assert status == 0, out + err


def test_the_package(tmp_path):
    check([str(PACKAGE / "src")], tmp_path)


def test_the_examples(tmp_path, package_found):
    examples = list((PACKAGE.parents[1] / "examples").rglob("*.py"))
    assert len(examples) >= 2
    check(map(str, examples), tmp_path)


def test_who_uses_it(tmp_path, package_found):
    (tmp_path / "use.py").write_text(USE)
    check([str(tmp_path / "use.py")], tmp_path)
