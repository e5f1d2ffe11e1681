import copy
import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import threading

import pytest

import contextdiff
from contextdiff import Edit, Field, FrontEnd, Key, Kind, Session, Snapshot, Toolkit, Unit, Window, client

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def test_the_declarations_are_those_of_the_header():
    made = subprocess.run([sys.executable, PACKAGE / "declarations.py"], capture_output=True, text=True, check=True)
    assert (PACKAGE / "src/contextdiff/contextdiff.cdef").read_text() == made.stdout


@pytest.mark.parametrize("names, prefix", [(Kind, "KIND"), (Window, "WINDOW"), (Key, "KEY"), (Unit, "UNIT"),
                                           (contextdiff.Cause, "CAUSE"), (FrontEnd, "FRONT_END"), (Toolkit, "TOOLKIT")])
def test_each_number_is_the_headers(names, prefix):
    from contextdiff._library import ffi

    declared = ffi.typeof(f"contextdiff_{prefix.lower()}").relements
    told = {f"CONTEXTDIFF_{prefix}_{name.name}": name.number for name in names}
    assert told == {name: number for name, number in declared.items() if not name.endswith(("_NOT_TOLD", "_UNKNOWN"))}


def test_kinds_have_the_librarys_names():
    from contextdiff._library import ffi, lib

    assert all(ffi.string(lib.contextdiff_kind_name(kind.number)).decode() == kind.value for kind in Kind)


def test_moves_are_told_from_edits():
    assert {kind for kind in Kind if kind.is_move} == {
        "cursorMove", "outOfRangeTap", "selection", "lineSelection", "deselection", "lineDeselection", "submission",
    }


@pytest.mark.parametrize("names", [Kind, Window, Key, Unit, contextdiff.Cause, FrontEnd, Toolkit])
def test_values_equal_their_names_and_print_as_these(names):
    for value in names:
        name = value.value
        assert type(name) is str and value == name and hash(value) == hash(name) and names(name) is value
        assert (str(value), f"{value}", repr(value)) == (name, name, f"<{names.__name__}.{value.name}: {name!r}>")
        assert json.dumps({value: value}) == f'{{"{name}": "{name}"}}'
        assert pickle.loads(pickle.dumps(value)) is copy.deepcopy(value) is value


def test_a_session():
    session = Session()
    assert session.post(Snapshot(before="今日")) is None
    done = session.post(Snapshot(before="今日は"), key=Key.CHARACTER)
    assert (done.kind, done.inserted, done.removed, done.cursor_offset.scalars) == (Kind.INSERTION, "は", None, 1)
    assert done.leaves_composition is None and done.expected == () and str(done.kind) == "insertion"
    number = session.expect(Edit(insert="良い"))
    shown = Snapshot(before="今日は良い")
    assert session.preview(shown).expected == (number,)
    assert session.post(shown).kind is Kind.EXPECTED
    session.withdraw(session.expect(Edit(delete_backward=1, unit=Unit.SCALARS)))
    with pytest.raises(contextdiff.NoSuchExpectation):
        session.withdraw(number)
    session.forget()
    with pytest.raises(contextdiff.NoBaseline):
        session.expect(Edit(insert="x"))
    assert session.post(shown) is None


def test_an_edit_is_announced_by_the_snapshot_that_it_leads_to():
    session = Session()
    session.post(Snapshot(before="今日", after="。"))
    first = session.expect(Snapshot(before="今日は", after="。"))
    second = session.expect(Snapshot(before="「今日は」", after="。"), old=Snapshot(before="今日は", after="。"))
    assert (first, second) == (1, 2)
    for shown, number in ((Snapshot(before="今日は", after="。"), first), (Snapshot(before="「今日は」", after="。"), second)):
        done = session.post(shown)
        assert (done.kind, done.expected, done.unfulfilled) == (Kind.EXPECTED, (number,), ())
    # It is a snapshot that was announced, and no other.
    third = session.expect(Snapshot(before="昨日", after="。"))
    done = session.post(Snapshot(before="明日", after="。"))
    assert done.kind is not Kind.EXPECTED and done.unfulfilled == (third,)


def test_threads_take_turns_at_a_session():
    session = contextdiff.Session()

    def post():
        for length in range(2_000):
            session.post(contextdiff.Snapshot(before="a" * (length % 50)))

    threads = [threading.Thread(target=post) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.post(contextdiff.Snapshot(before="a" * 49)).kind is contextdiff.Kind.UNCHANGED


def test_one_pair_with_evidence():
    done = contextdiff.classify(
        Snapshot(before="a", selected="bc", after="d"), Snapshot(before="a", after="d"), pasteboard="bc",
        composition=(1, 0), window=Window.FULL)
    assert done.kind is Kind.CUT and done.removed == "bc" and done.leaves_composition is not None


@pytest.mark.parametrize("snapshot, error", [
    (Snapshot(before="a" * (1 << 20) + "a"), "new.before: more than 1048576 bytes"),
    (Snapshot(caret=-1), "new.caret: not between 0 and 1099511627776"),
    # Half a surrogate pair.
    (Snapshot(before="secret\ud83d"), "new.before: not UTF-8 at byte 6"),
    (Snapshot(before=3), "new.before: not a text"),
    (Snapshot(has_text="false"), "new.has_text: neither True nor False"),
    (Snapshot(caret=1.0), "new.caret: not a whole number"),
    (None, "new: not a Snapshot"),
    (Snapshot(caret=1 << 70), "new.caret: not a whole number from -9223372036854775808 to 9223372036854775807"),
])
def test_what_cannot_be_is_told(snapshot, error):
    with pytest.raises(contextdiff.InvalidArgument) as raised:
        Session().post(snapshot)
    assert str(raised.value) == error


@pytest.mark.parametrize("edit, error", [
    (Snapshot(before="secret\ud83d"), "edit.before: not UTF-8 at byte 6"),
    (Snapshot(caret=-1), "edit.caret: not between 0 and 1099511627776"),
    (Snapshot(before=3), "edit.before: not a text"),
    (Edit(insert="secret\ud83d"), "edit.insert: not UTF-8 at byte 6"),
    ("text", "edit: neither an Edit nor a Snapshot"),
])
def test_what_cannot_be_announced_is_told_by_the_arguments_name(edit, error):
    session = Session()
    session.post(Snapshot(before="a"))
    with pytest.raises(contextdiff.InvalidArgument) as raised:
        session.expect(edit)
    assert str(raised.value) == error
    connection = client.Client("/nonexistent")
    with pytest.raises(contextdiff.InvalidArgument) as raised:
        connection.expect("notes", edit)
    assert str(raised.value) == error
    connection.close()


def test_values_may_be_told_by_their_names():
    told = contextdiff.classify(
        Snapshot(before="ab"), Snapshot(before="abc"), window="line", cause="other", key="character")
    assert told == contextdiff.classify(
        Snapshot(before="ab"), Snapshot(before="abc"), window=Window.LINE, cause=contextdiff.Cause.OTHER, key=Key.CHARACTER)
    session = Session()
    session.post(Snapshot(before="ab"))
    assert session.expect(Edit(delete_backward=1, unit="scalars")) == 1
    assert Field("ibus", "gtk3").toolkit is Toolkit.GTK3


@pytest.mark.parametrize("evidence, error", [
    ({"window": "lines"}, "window: not one of sentence, paragraph, line, full"),
    ({"window": ""}, "window: not one of sentence, paragraph, line, full"),
    ({"composition": (-1, 0)}, "composition: not a whole number from 0 to 1099511627776"),
    ({"composition": (0, 1 << 63)}, "composition: not a whole number from 0 to 1099511627776"),
    ({"composition": 5}, "composition: not a pair of numbers"),
    ({"pasteboard": b"a"}, "pasteboard: not a text"),
    ({"merged": "no"}, "merged: neither True nor False"),
    ({"old": Snapshot()}, "old: given twice"),
    ({"cause": ""}, "cause: not one of inputMethod, other"),
    ({"key": Window.LINE}, "key: not one of none, character, return, backspace, delete, caret, shortcut, undo, redo, cut, paste"),
])
def test_a_value_that_there_is_not_is_told(evidence, error):
    with pytest.raises(contextdiff.InvalidArgument) as raised:
        contextdiff.classify(Snapshot(), Snapshot(before="a"), **evidence)
    assert str(raised.value) == error and raised.value.status == -1


def test_evidence_that_is_none_is_as_if_left_out():
    pair = Snapshot(before="ab"), Snapshot(before="abc")
    assert contextdiff.classify(*pair) == contextdiff.classify(
        *pair, **dict.fromkeys(contextdiff.Evidence.__annotations__))


def test_evidence_that_there_is_not_is_named():
    with pytest.raises(TypeError, match="^there is no evidence widow$"):
        contextdiff.classify(Snapshot(), Snapshot(before="a"), widow="line")


@pytest.mark.parametrize("library, problem", [
    ("/nonexistent/libcontextdiff.so.1", "cannot be opened: it comes with"), ("libc.so.6", "is no libcontextdiff: "),
])
def test_a_library_that_is_not_there_is_named(library, problem):
    done = subprocess.run(
        [sys.executable, "-c", "import contextdiff"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "CONTEXTDIFF_LIBRARY": library})
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {library} {problem}")


def test_a_hosts_field():
    with pytest.raises(contextdiff.InvalidArgument, match="front_end: not one of"):
        Field(None)
    field = Field(FrontEnd.IBUS, Toolkit.GTK3)
    first = field.surrounding_text("一行\n二行", 2, 2)
    assert first.snapshot == Snapshot(before="一行") and first.window is Window.LINE and first.key is None
    field.key(0x61, 0)
    second = field.surrounding_text("一行a\n二行", 3, 3)
    session = Session()
    session.post(first)
    assert second.key is Key.CHARACTER and session.post(second).inserted == "a"
    assert field.surrounding_text("一行a\n二行", 3, 3) is None
    # A character beyond the 16 bits of UTF-16's first plane: the front end counts characters.
    with pytest.raises(contextdiff.OutOfText, match="^cursor: 3, outside of the text, whose length is 2 in the front end's unit$"):
        field.surrounding_text("a🍵", 3, 3)
    with pytest.raises(contextdiff.InvalidArgument, match="^anchor: not a whole number from"):
        field.surrounding_text("a", 1, 1 << 64)
    with pytest.raises(contextdiff.InvalidArgument, match="^value: not a text$"):
        field.surrounding_text(None, 0, 0)
    for call in field.commit, lambda text: field.surrounding_text(text, 0, 0):
        with pytest.raises(contextdiff.InvalidArgument, match="^value: more than 1048576 bytes$"):
            call("a" * 1_048_577)
    with pytest.raises(contextdiff.InvalidArgument, match="^memory: not a whole number from 1"):
        Session(memory=0)
    with pytest.raises(contextdiff.InvalidArgument, match="^keysym: not a whole number$"):
        field.key("a", 0)
    for keysym, modifiers in (1 << 32, 0), (0x61, -(1 << 31) - 1):
        with pytest.raises(contextdiff.InvalidArgument, match="^(keysym|modifiers): not a whole number from -2147483648 to 4294967295$"):
            field.key(keysym, modifiers)
    with pytest.raises(contextdiff.InvalidArgument, match="^edit.unit: not one of graphemes"):
        session.expect(Edit(insert="a", unit=None))
    field.toolkit = Toolkit.GTK4
    assert field.surrounding_text("hello wonderful", 6, 4).snapshot.selected == "wo"
    assert contextdiff.toolkit_of("gtk3-im:firefox") is Toolkit.FIREFOX and contextdiff.toolkit_of() is None
    assert contextdiff.key_class(0xFF08, 0) is Key.BACKSPACE and contextdiff.key_class(0xFFE1, 0) is None
    assert contextdiff.key_class(ord("z"), 4) is Key.UNDO and contextdiff.key_class(ord("c"), 4) is Key.SHORTCUT


def test_a_field_names_the_shortcuts_that_undo():
    # Ctrl+W in a shell is none of them, from the first on.
    def erased(post):
        session = contextdiff.Session()
        for shown in ("", "git", "git commit fi", "git commit fix"):
            session.post(Snapshot(before=shown), window="full", key="character")
        return post(session, Snapshot(before="git commit "))

    assert erased(lambda session, new: session.post(new, window="full", key="shortcut")).kind == "undo"
    news = erased(lambda session, new: session.post(contextdiff.News(new, window="full", key="shortcut")))
    assert news.kind == "deletion" and "undo" not in news.alternatives
    foreseen = erased(lambda session, new: session.preview(contextdiff.News(new, window="full", key="shortcut")))
    assert foreseen == news
    pair = contextdiff.News(Snapshot(before="git "), window="full", key="shortcut")
    assert contextdiff.Session().classify(Snapshot(before="git commit"), pair).kind == "deletion"


def test_the_version_is_the_trees():
    swift = (PACKAGE.parents[1] / "Sources/ContextDiffWire/Version.swift").read_text()
    assert f'"{contextdiff.__version__}"' in swift
    assert contextdiff.library_version == contextdiff.__version__


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("lacking, printed", [
    ("", f"{contextdiff.__version__} 0.1.2"),
    ("contextdiff_session_preview", "ImportError: libcontextdiff 0.1.2 is older than this package: .*contextdiff_session_preview.*{path}"),
])
def test_an_older_library_is_told_by_its_version(tmp_path, lacking, printed):
    from contextdiff._library import lib

    source, path = tmp_path / "older.c", tmp_path / "libcontextdiff.so.1"
    functions = {name for name in dir(lib) if name.startswith("contextdiff_")} - {"contextdiff_version", lacking}
    source.write_text("int contextdiff_version(void) { return 0x000102; }\n" + "".join(f"void {name}(void) {{}}\n" for name in functions))
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", path, source], check=True)
    done = subprocess.run(
        [sys.executable, "-c", "import contextdiff; print(contextdiff.__version__, contextdiff.library_version)"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "CONTEXTDIFF_LIBRARY": str(path)})
    assert re.match(printed.format(path=re.escape(str(path))), (done.stdout + done.stderr).splitlines()[-1])


def test_it_installs_from_the_tree_typed(tmp_path):
    tree, site = tmp_path / "tree", tmp_path / "site"
    shutil.copytree(PACKAGE, tree, ignore=shutil.ignore_patterns("*.egg-info", "build", "__pycache__"))
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps",
         "--no-build-isolation", "--target", site, tree], check=True)
    assert (site / "contextdiff/py.typed").exists()
    licence, = site.glob(f"contextdiff-{contextdiff.__version__}.dist-info/**/LICENSE")
    assert licence.read_bytes() == (PACKAGE.parents[1] / "LICENSE").read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", "import contextdiff; print(contextdiff.__file__)"], capture_output=True, text=True,
        check=True, env={**os.environ, "PYTHONPATH": str(site)})
    assert done.stdout.startswith(str(site))


def test_what_prints_itself_holds_no_text():
    session = contextdiff.Session()
    session.post(contextdiff.Snapshot(before="hunter"))
    done = session.post(contextdiff.Snapshot(before="hunter2"))
    edit = contextdiff.Edit(insert="hunter2", delete_backward=1)
    news = contextdiff.News(contextdiff.Snapshot(selected="hunter2"))
    assert done.inserted == "2" and edit.insert == "hunter2"
    for printed in (repr(done), str(edit), repr(news), repr(news.snapshot)):
        assert "hunter" not in printed and "'2'" not in printed
