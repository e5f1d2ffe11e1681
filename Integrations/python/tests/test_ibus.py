"""The mixin over a real IBus.Engine, in a Python that has gi: the tests' own, or with the system's packages."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
EXAMPLE = PACKAGE.parents[1] / "examples/ibus"
PATHS = [str(PACKAGE / "src"), str(EXAMPLE), *filter(None, sys.path), "/usr/lib/python3/dist-packages"]
NEEDS = "import gi; gi.require_version('IBus', '1.0'); from gi.repository import IBus"


def run(script, *arguments):
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": ":".join(PATHS), "PYTHONDONTWRITEBYTECODE": "1"}, check=False)


pytestmark = pytest.mark.skipif(run(NEEDS).returncode != 0, reason="needs IBus's and GObject's introspection for this Python")

ENGINE = """
import contextdiff.ibus
import kana_engine
from gi.repository import IBus

text = IBus.Text.new_from_string
said, committed = [], []

class Engine(kana_engine.KanaEngine):
    def on_transition(self, transition):
        said.append((str(transition.kind), transition.leaves_composition))
        super().on_transition(transition)

engine = Engine(engine_name="test", object_path="/org/freedesktop/IBus/Engine/1")
# What goes to the daemon of IBus's has none here.
IBus.Engine.commit_text = lambda self, text: committed.append(text.get_text())
IBus.Engine.update_preedit_text_with_mode = lambda self, *arguments: None
IBus.Engine.delete_surrounding_text = lambda self, *arguments: None

def told(words, caret, anchor=None):
    engine.emit("set-surrounding-text", text(words), caret, caret if anchor is None else anchor)

def press(*keys):
    return [engine.emit("process-key-event", key if isinstance(key, int) else ord(key), 0, 0) for key in keys]

def focus(client):
    engine.emit("focus-in-id", "/org/freedesktop/IBus/InputContext_1", client)
"""


def check(script):
    done = run(ENGINE + script)
    assert done.returncode == 0, done.stderr


def test_what_the_person_does_is_told_and_what_the_engine_does_is_not():
    check("""
focus("gtk3-im:mousepad")
told("", 0)
assert press("k", "a", IBus.KEY_Return) == [True, True, True] and committed == ["か"]
told("か", 1)
assert said == []
assert press(IBus.KEY_Left) == [False]
told("か", 0)
assert said == [("cursorMove", None)], said
""")


def test_a_key_that_the_engine_forwards_goes_to_the_host_as_one_that_it_leaves():
    check("""
forwarded = []
IBus.Engine.forward_key_event = lambda self, *arguments: forwarded.append(arguments)

class Forwarding(contextdiff.ibus.Reading, IBus.Engine):
    forwards = False

    def on_transition(self, transition):
        said.append((str(transition.kind), transition.is_certain))

    def do_process_key_event(self, keyval, keycode, state):
        if not self.forwards:
            return False
        self.forward_key_event(keyval, keycode, state)
        return True

engine = Forwarding(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
for engine.forwards in (False, True):
    focus("gtk3-im:mousepad")
    told("hello", 5)
    press("a")
    told("helloa", 6)
    press(IBus.KEY_BackSpace)
    told("hello", 5)
    # Whoever let go of a key has not pressed one: a menu undid it.
    engine.emit("process-key-event", ord("a"), 0, IBus.ModifierType.RELEASE_MASK)
    told("helloa", 6)
left, given = said[:3], said[3:]
assert left == given and left[:2] == [("insertion", True), ("deletion", True)] and not left[2][1], said
assert forwarded == [(ord("a"), 0, 0), (IBus.KEY_BackSpace, 0, 0), (ord("a"), 0, IBus.ModifierType.RELEASE_MASK)], forwarded
""")


def test_a_click_ends_the_composition_by_the_toolkits_way():
    check("""
for client, commits in (("gtk3-im:mousepad", []), ("QIBusInputContext", []), ("gtk4-im", ["か"])):
    committed.clear()
    focus(client)
    told("hello there " + client, 5)
    press("k", "a")
    assert engine.composing
    engine.emit("reset")
    assert committed == commits and engine.letters == "" and not engine.composing, client
""")


def test_another_field_begins_anew():
    check("""
focus("gtk3-im:mousepad")
told("one field", 9)
told("one fiel", 8)
assert len(said) == 1
focus("gtk4-im")
told("one fiel", 8)
told("another", 7)
assert len(said) == 1
assert str(engine.toolkit) == "gtk4"
""")


def test_each_context_is_asked_for_its_text():
    # IBus tells an engine once that it was switched on, and asks no context but the one that has it.
    check("""
asked = []
IBus.Engine.get_surrounding_text = lambda self: asked.append(self.client)
engine.emit("focus-in")
engine.emit("enable")
for client in ("gtk3-im:mousepad", "fake", "gtk4-im"):
    engine.emit("focus-out-id", "/org/freedesktop/IBus/InputContext_1")
    engine.emit("focus-in-id", "/org/freedesktop/IBus/InputContext_1", client)
assert asked == ["", "", "gtk3-im:mousepad", "fake", "gtk4-im"], asked
""")


def test_focus_comes_and_goes_however_engines_hear_of_it():
    # As engines do that know both of IBus's ways, with super()'s methods or without.
    check("""
class Old(Engine):
    def do_focus_in(self):
        said.append("in")

    def do_focus_out(self):
        said.append("out")
        super().do_focus_out()

class Plain(Engine):
    def do_focus_in(self):
        self.do_focus_in_id("", "")

    def do_focus_in_id(self, path, client):
        said.append("in")

    def do_focus_out(self):
        self.do_focus_out_id("")

    def do_focus_out_id(self, path):
        said.append("out")
        super().do_focus_out()

class Polite(Plain):
    def do_focus_in_id(self, path, client):
        super().do_focus_in_id(path, client)
        IBus.Engine.do_focus_in_id(self, path, client)

for kind in (Old, Plain, Polite):
    said.clear()
    engine = kind(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
    for client in ("gtk3-im", "gtk4-im"):
        engine.emit("focus-in-id", "/org/freedesktop/IBus/InputContext_1", client)
        told("hello " + client, 3)
        press("k", "a")
        engine.emit("focus-out-id", "/org/freedesktop/IBus/InputContext_1")
        # The host puts it into the field that it leaves.
        assert committed == [] and not engine.composing, committed
    assert said == ["in", "out"] * 2 and str(engine.toolkit) == "gtk4", said
""")


def test_a_field_that_gets_the_focus_again_is_known():
    # IBus does not tell a text again that it has told of the input context.
    check("""
def come(client):
    focus(client)
    return len(said)

for client, more in (("gtk3-im", 1), ("gtk4-im", 1), ("QIBusInputContext", 0), ("gtk3-im:firefox-esr", 0)):
    come(client)
    told("hello world", 11)
    engine.emit("focus-out-id", "/org/freedesktop/IBus/InputContext_1")
    before = come(client)
    told("hello world", 5)
    assert len(said) == before + more, (client, said)
    engine.emit("focus-out-id", "/org/freedesktop/IBus/InputContext_1")
    engine.emit("focus-in-id", "/org/freedesktop/IBus/InputContext_2", client)
    told("hello", 5)
    assert len(said) == before + more, (client, said)
""")


def test_what_the_host_shows_and_what_it_does_not_make():
    check("""
class Deleting(contextdiff.ibus.Reading, IBus.Engine):
    def on_transition(self, transition):
        said.append(str(transition.kind))

    def on_unfulfilled(self, numbers):
        said.append(numbers)

engine = Deleting(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
assert engine.snapshot is None and engine.commit_text(text("a")) is None
focus("QIBusInputContext")
press("x")
# Qt counts in UTF-16.
told("\U0001f600 market day", 3, 9)
assert engine.snapshot.selected == "market", engine.snapshot
told("xin chao", 8)
said.clear()
# The host deletes nothing.
assert [engine.delete_surrounding_text(-4, 4), engine.commit_text(text("chào"))] == [1, 2]
told("xin chaochào", 12)
assert said == [(1,)], said
number = engine.commit_text(text("z"))
engine.withdraw(number)
engine.withdraw(number)
press("z")
told("xin chaochàoz", 13)
assert said == [(1,), "insertion"], said
""")


def test_letters_that_are_composed_in_the_text_are_told_by_their_number():
    check("""
class InText(contextdiff.ibus.Reading, IBus.Engine):
    def on_transition(self, transition):
        said.append((str(transition.kind), transition.leaves_composition))

engine = InText(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
focus("gtk3-im")
told("한글날", 3)
engine.composing = (3, 0)
press(IBus.KEY_Left)
told("한글날", 2)
assert said == [("cursorMove", False)], said
""")


def test_the_bases_are_named_in_one_order():
    check("""
try:
    class Wrong(IBus.Engine, contextdiff.ibus.Reading):
        pass
except TypeError as error:
    assert str(error) == "Wrong: contextdiff.ibus.Reading is to be named before IBus.Engine"
else:
    raise AssertionError
""")


def test_a_text_that_is_too_long_ends_what_was_known():
    check("""
focus("gtk4-im")
told("one", 3)
told("a" * (1 << 20) + "a", 3)
told("one field", 9)
assert said == []
told("one fiel", 8)
assert len(said) == 1
""")


def test_a_password_is_not_looked_at():
    check("""
focus("gtk3-im")
engine.emit("set-content-type", IBus.InputPurpose.PASSWORD, 0)
told("secre", 5)
told("secret", 6)
assert said == []
engine.emit("set-content-type", IBus.InputPurpose.FREE_FORM, 0)
told("a", 1)
told("ab", 2)
assert len(said) == 1
""")


def test_a_password_field_after_another_is_not_looked_at_either():
    # IBus tells an engine what a field is for only where it is another than before.
    check("""
focus("gtk3-im")
engine.emit("set-content-type", IBus.InputPurpose.PASSWORD, 0)
engine.emit("focus-out")
focus("fake")
focus("gtk3-im")
told("secre", 5)
told("secret", 6)
assert said == []
""")


def test_a_private_field_is_not_looked_at():
    check("""
focus("gtk3-im")
told("Dear ", 5)
engine.emit("set-content-type", IBus.InputPurpose.FREE_FORM, IBus.InputHints.PRIVATE | IBus.InputHints.NO_SPELLCHECK)
told("Dear B", 6)
told("Dear Bo", 7)
assert said == []
engine.emit("set-content-type", IBus.InputPurpose.FREE_FORM, IBus.InputHints.NO_SPELLCHECK)
told("Dear Bob", 8)
told("Dear Bob,", 9)
assert len(said) == 1
""")


def test_a_password_is_not_looked_at_by_an_engine_that_forgets_super():
    check("""
class Forgetful(Engine):
    def do_set_content_type(self, purpose, hints):
        pass

engine = Forgetful(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
focus("gtk3-im")
engine.emit("set-content-type", IBus.InputPurpose.PASSWORD, 0)
told("secre", 5)
told("secret", 6)
assert said == []
""")


def test_what_qt_tells_after_a_reset_is_looked_at_once_a_key_comes():
    check("""
class Forgetful(contextdiff.ibus.Reading, IBus.Engine):
    def on_transition(self, transition):
        said.append(str(transition.kind))

    def do_process_key_event(self, keyval, keycode, state):
        return False

engine = Forgetful(engine_name="test", object_path="/org/freedesktop/IBus/Engine/2")
focus("QIBusInputContext")
engine.emit("reset")
# A password field's, for all that is known.
told("secre", 5)
told("secret", 6)
assert said == []
engine.emit("process-key-event", ord("b"), 0, IBus.ModifierType.RELEASE_MASK)
told("secret!", 7)
assert said == []
press("b")
told("a", 1)
told("ab", 2)
assert said == ["insertion"]
""")


def test_a_composition_that_ends_by_qts_reset_opens_no_password_field():
    check("""
for end in (engine.leave, lambda: engine.commit_text(text("か")), lambda: engine.delete_surrounding_text(-1, 1)):
    focus("QIBusInputContext")
    told("Name: ", 6)
    press("k", "a")
    engine.emit("reset")
    end()
    told("secre", 5)
    told("secret", 6)
    assert said == [], said
""")


def test_what_cannot_be_announced_is_committed_all_the_same():
    check("""
focus("gtk3-im")
told("a", 1)
engine.commit_text(text(""))
engine.commit_text(text("x" * ((1 << 20) + 1)))
assert [len(it) for it in committed] == [0, (1 << 20) + 1]
""")


def test_an_edit_ends_no_composition_of_the_example():
    # Firefox, while letters come fast.
    check("""
focus("gtk3-im:firefox-esr")
told("Yours", 3)
press("s", "o")
told("Yous", 3)
assert said[-1] == ("deletion", True) and engine.letters == "so", said
focus("gtk3-im:mousepad")
told("Yours truly", 3)
press("s", "o")
told("Yours truly", 8)
assert said[-1] == ("cursorMove", True) and engine.letters == "", said
""")


def test_the_example_composes_kana():
    check("""
assert kana_engine.kana("kana") == "かな" and kana_engine.kana("wo") == "を" and kana_engine.kana("sh") == "sh"
focus("gtk3-im")
press("k", "a", "n", IBus.KEY_BackSpace, IBus.KEY_space)
assert committed == ["か"]
assert press("a") == [True] and press(IBus.KEY_Left) == [False] and committed == ["か", "あ"]
""")


@pytest.mark.skipif(shutil.which("ibus-daemon") is None, reason="needs ibus-daemon")
def test_ibus_starts_the_example_by_its_component(tmp_path):
    component = re.sub("<exec>.*</exec>", f"<exec>{sys.executable} {EXAMPLE}/kana_engine.py --ibus</exec>", (EXAMPLE / "component.xml").read_text())
    (tmp_path / "kana.xml").write_text(component)
    variables = {
        **os.environ, "PYTHONPATH": ":".join(PATHS), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "IBUS_COMPONENT_PATH": str(tmp_path),
        "IBUS_ADDRESS": f"unix:path={tmp_path}/bus"}
    daemon = subprocess.Popen(
        ["ibus-daemon", "--panel=disable", "--emoji-extension=disable", "--config=disable", "--cache=none", "--address", variables["IBUS_ADDRESS"]],
        env=variables)
    try:
        # A client of IBus that comes before it does not find it later.
        with socket.socket(socket.AF_UNIX) as link:
            while link.connect_ex(f"{tmp_path}/bus"):
                assert daemon.poll() is None
                time.sleep(0.05)
        done = subprocess.run([sys.executable, "-c", CHOOSE], env=variables, capture_output=True, text=True, check=False, timeout=180)
        assert done.returncode == 0, done.stderr
    finally:
        daemon.terminate()
        daemon.wait()


CHOOSE = """
import gi
gi.require_version("IBus", "1.0")
from gi.repository import IBus

IBus.init()
bus = IBus.Bus()
told, = bus.list_engines()
assert (told.get_name(), told.get_language()) == ("contextdiff-kana", "ja")
# A busy machine's engine may start later than ibus-daemon waits for it.
while not bus.set_global_engine("contextdiff-kana"):
    pass
"""
