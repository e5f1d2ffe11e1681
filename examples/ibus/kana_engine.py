"""An engine of IBus's that composes kana from Latin letters, and commits where a person leaves what is composed.

    python kana_engine.py           registers itself with the running ibus-daemon; then: ibus engine contextdiff-kana
    python kana_engine.py --ibus    as ibus-daemon starts it, by component.xml
"""

import sys

import gi

gi.require_version("IBus", "1.0")
from gi.repository import GLib, IBus  # noqa: E402

import contextdiff.ibus  # noqa: E402

COMPONENT = "org.freedesktop.IBus.ContextDiffKana"
NAME = "contextdiff-kana"
VOWELS = dict(zip("aiueo", "あいうえお"))
ROWS = {
    "k": "かきくけこ", "s": "さしすせそ", "t": "たちつてと", "n": "なにぬねの", "h": "はひふへほ", "m": "まみむめも",
    "y": "やいゆえよ", "r": "らりるれろ", "w": "わゐうゑを", "g": "がぎぐげご", "z": "ざじずぜぞ", "d": "だぢづでど",
    "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ",
}


def kana(letters: str) -> str:
    """The letters as kana, as far as they make any."""
    made = ""
    while letters:
        if letters[0] in VOWELS:
            made, letters = made + VOWELS[letters[0]], letters[1:]
        elif letters[0] in ROWS and letters[1:2] in tuple("aiueo"):
            made, letters = made + ROWS[letters[0]]["aiueo".index(letters[1])], letters[2:]
        else:
            made, letters = made + letters[0], letters[1:]
    return made


class KanaEngine(contextdiff.ibus.Reading, IBus.Engine):  # type: ignore[misc, unused-ignore]
    letters = ""

    def do_process_key_event(self, keyval: int, keycode: int, state: int) -> bool:
        held = IBus.ModifierType.CONTROL_MASK | IBus.ModifierType.MOD1_MASK | IBus.ModifierType.SUPER_MASK
        if state & IBus.ModifierType.RELEASE_MASK:
            return False
        letter = IBus.keyval_to_unicode(keyval)
        if not state & held and letter.isascii() and letter.isalpha():
            self.compose(self.letters + letter.lower())
            return True
        if self.letters and keyval == IBus.KEY_BackSpace:
            self.compose(self.letters[:-1])
            return True
        if self.letters and keyval in (IBus.KEY_Return, IBus.KEY_space):
            self.finish()
            return True
        if self.letters and keyval not in (IBus.KEY_Shift_L, IBus.KEY_Shift_R):
            self.finish()
        return False

    def compose(self, letters: str) -> None:
        self.letters = letters
        self.composing = bool(letters)
        text = IBus.Text.new_from_string(kana(letters))
        text.append_attribute(IBus.AttrType.UNDERLINE, IBus.AttrUnderline.SINGLE, 0, text.get_length())
        self.update_preedit_text_with_mode(text, text.get_length(), bool(letters), self.preedit_focus_mode)

    def finish(self) -> None:
        """Puts what is composed into the text."""
        text = kana(self.letters)
        self.compose("")
        self.commit_text(IBus.Text.new_from_string(text))

    def leave(self) -> None:
        """What is composed was left: the host has put it into the text, or the engine does."""
        if not self.letters:
            return
        if self.host_commits_preedit:
            self.expect(contextdiff.Edit(insert=kana(self.letters)))
            self.letters = ""
            self.composing = False
        else:
            self.finish()

    def do_reset(self) -> None:
        self.leave()

    def do_focus_out(self) -> None:
        # Each host puts what is composed into the field that it leaves; a commit would come into the next one, be it a password's.
        self.letters = ""
        self.composing = False

    def on_transition(self, transition: contextdiff.Transition) -> None:
        # While letters come fast, Firefox shows for a moment a text that lacks some: this is read as an edit, or as a move that is not
        # certain. Where a person did go, the host resets the engine as well.
        if transition.leaves_composition and transition.is_certain and transition.kind.is_move:
            self.leave()


class Factory(IBus.Factory):  # type: ignore[misc, unused-ignore]
    def do_create_engine(self, name: str) -> KanaEngine:
        self.count = getattr(self, "count", 0) + 1
        return KanaEngine(
            engine_name=name, connection=self.get_connection(), object_path=f"/org/freedesktop/IBus/Engine/{self.count}")


def main() -> Factory:
    IBus.init()
    bus = IBus.Bus()
    if not bus.is_connected():
        sys.exit("kana_engine.py: no ibus-daemon runs here")
    loop = GLib.MainLoop()
    bus.connect("disconnected", lambda _: loop.quit())
    factory = Factory(object_path=IBus.PATH_FACTORY, connection=bus.get_connection())
    if "--ibus" in sys.argv:
        bus.request_name(COMPONENT, 0)
    else:
        component = IBus.Component(name=COMPONENT, description="kana", version="1", license="Apache-2.0")
        component.add_engine(IBus.EngineDesc(name=NAME, longname="contextdiff kana", language="ja", layout="default"))
        bus.register_component(component)
    loop.run()
    return factory


if __name__ == "__main__":
    main()
