"""What happened in the host's field, for engines of IBus.

    class Engine(contextdiff.ibus.Reading, IBus.Engine):      # 1
        def on_transition(self, transition): ...              # 2: what the person did besides this engine
        def do_process_key_event(self, keyval, keycode, state):
            return self.takes(keyval, state) or self.leave_key(keyval, state)     # 3: the key goes to the host
"""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("IBus", "1.0")
from gi.repository import IBus  # noqa: E402

from ._field import Field, toolkit_of  # noqa: E402
from ._library import InvalidArgument, OutOfText  # noqa: E402
from ._session import Session  # noqa: E402
from ._values import Edit, FrontEnd, Toolkit, Transition, Unit  # noqa: E402


_SECRET_PURPOSES = (IBus.InputPurpose.PASSWORD, IBus.InputPurpose.PIN)
# Older versions of IBus don't have both.
_SECRET_HINTS = int(getattr(IBus.InputHints, "PRIVATE", 0)) | int(getattr(IBus.InputHints, "HIDDEN_TEXT", 0))


class Reading:
    """To be named before IBus.Engine among a class's bases.

    It watches the host's surrounding text, tells this engine's own commits from what else happens, and calls
    `on_transition` for the rest. In password fields, and in those that their program calls private, nothing is looked at. Where
    the engine overrides one of the do_ methods below it calls super()'s too.

    An engine is made by calling its class, in a factory's do_create_engine: of one that IBus.Factory itself makes of a type that
    add_engine was given, IBus does not say whose input context it is, and `toolkit` is not known.
    """

    composing = False
    """Whether the engine has a preedit: it is told then whether a transition leaves it. The engine sets it."""

    client = ""
    """The input context's client as IBus tells it ("gtk3-im:mousepad"); "" where IBus doesn't."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        # GObject looks for virtual methods in the class itself, and not in a mixin.
        for name in ("enable", "focus_in", "focus_in_id", "focus_out", "focus_out_id", "reset", "set_surrounding_text"):
            setattr(cls, f"do_{name}", getattr(cls, f"do_{name}"))

    def __init__(self, **properties: Any) -> None:
        # Else IBus does not say whose input context it is; before 1.5.27 it never does.
        if IBus.Engine.find_property("has-focus-id"):
            properties.setdefault("has_focus_id", True)
        super().__init__(**properties)
        self._field = Field(FrontEnd.IBUS)
        self._session = Session()
        self._is_secure = False
        # Heard besides the virtual methods: an engine that overrides these, and forgets super()'s, is to read no password for it.
        self.connect("set-content-type", Reading._note_content_type)  # type: ignore[attr-defined]
        self.connect("process-key-event", Reading._note_key)  # type: ignore[attr-defined]

    # ---- For the engine.

    def on_transition(self, transition: Transition) -> None:
        """What happened in the field, this engine's own commits left out. For the engine to override.

        What is composed has surely been left where `leaves_composition` is True, the kind `is_move`, and the transition certain: while
        letters come fast, Firefox shows for a moment a text that lacks some, which reads as an edit around the composition, or as a move
        that is only likely.
        """

    @property
    def toolkit(self) -> Toolkit | None:
        """Who shows the text; None where that is not known."""
        return self._field.toolkit

    @property
    def host_commits_preedit(self) -> bool:
        """Whether the host puts a preedit that a click leaves into the text by itself, in IBus's COMMIT mode.

        Qt does in any mode; GTK 3 and Firefox do in that one; GTK 4 drops it, so that the engine is to commit. Where the focus goes,
        each of them puts it into the field that it leaves: what an engine commits in do_focus_out may come into the next field.
        As seen on Debian 12 with IBus 1.5.27.
        """
        return self.toolkit is not Toolkit.GTK4

    @property
    def preedit_focus_mode(self) -> Any:
        """What to update a preedit with: COMMIT, but for Qt, which would then commit it twice."""
        if self.toolkit is Toolkit.QT:
            return IBus.PreeditFocusMode.CLEAR
        return IBus.PreeditFocusMode.COMMIT

    def leave_key(self, keyval: int, state: int) -> bool:
        """Notes a key that the engine leaves to the host; False, for do_process_key_event to return.

        An engine notes all that it leaves: what comes without a key is taken for a pointer's or a menu's doing. Where it never
        notes any, transitions are read from the text alone. What it gives to the host by forward_key_event is noted by itself.
        """
        if not state & IBus.ModifierType.RELEASE_MASK:
            self._field.key(keyval, state)
        return False

    def expect(self, edit: Edit) -> None:
        """Announces an edit that comes about otherwise than by commit_text and delete_surrounding_text."""
        if self._session_begun:
            self._session.expect(edit)

    # ---- What the engine does.

    def commit_text(self, text: Any) -> None:
        """Puts an IBus.Text into the field, as IBus.Engine does; announced, so that on_transition is not called for it."""
        if text.get_text():
            self._announce(Edit(insert=text.get_text()))
        super().commit_text(text)  # type: ignore[misc]

    def delete_surrounding_text(self, offset: int, nchars: int) -> None:
        """Takes text away, as IBus.Engine does: nchars characters from offset on, counted from the caret.

        Announced likewise where the stretch touches the caret.
        """
        # A stretch that touches the caret; another one is the host's to show.
        before, after = -offset, offset + nchars
        if before >= 0 and after >= 0 and nchars > 0:
            unit = Unit.UTF16 if self.toolkit is Toolkit.QT else Unit.SCALARS
            self._announce(Edit(delete_backward=before, delete_forward=after, unit=unit))
        super().delete_surrounding_text(offset, nchars)  # type: ignore[misc]

    def forward_key_event(self, keyval: int, keycode: int, state: int) -> None:
        """Gives a key to the host, as IBus.Engine does; noted as by `leave_key`."""
        self.leave_key(keyval, state)
        super().forward_key_event(keyval, keycode, state)  # type: ignore[misc]

    def _announce(self, edit: Edit) -> None:
        """Announces what the engine does in any case: an edit longer than is read is the host's to show."""
        try:
            if edit.insert:
                self._field.commit(edit.insert)
            self.expect(edit)
        except InvalidArgument:
            pass

    # ---- What IBus tells.

    def do_enable(self) -> None:
        """The engine was switched on: tells IBus that it wants surrounding text."""
        self.get_surrounding_text()  # type: ignore[attr-defined]

    def do_focus_in_id(self, object_path: str, client: str) -> None:
        """As do_focus_in, which it calls, of a client that IBus names."""
        self.client = client
        self._field.toolkit = toolkit_of(client)
        self.do_focus_in()

    def do_focus_in(self) -> None:
        """A field has the focus: a new session begins."""
        # IBus asks that input context alone which has the engine at the moment, and tells an engine once that it was switched on.
        self.get_surrounding_text()  # type: ignore[attr-defined]
        self._field.focus_in()
        self._forget()
        # What the field is for stays as it was told last: IBus tells it to an engine after the focus, and only where it is another.
        self._gets_keys = True

    def do_focus_out(self) -> None:
        """The field lost the focus: what was seen of it is forgotten."""
        self._forget()

    def do_focus_out_id(self, object_path: str) -> None:
        """As do_focus_out, which it calls: IBus calls it instead where it names clients."""
        self.do_focus_out()

    def do_reset(self) -> None:
        """The host reset its input method."""
        self._field.reset()
        # Of a password field Qt tells the text and no more: no focus, no purpose, but no keys either. What the engine announces
        # meanwhile is no key: an engine that ends its composition when it is reset does so just here.
        if self.toolkit is Toolkit.QT:
            self._gets_keys = False
            self._forget()

    def do_set_surrounding_text(self, text: Any, cursor: int, anchor: int) -> None:
        """The host told its text: what a person did is told to `on_transition`."""
        IBus.Engine.do_set_surrounding_text(self, text, cursor, anchor)
        if self._is_secure or not self._gets_keys:
            return
        try:
            news = self._field.surrounding_text(text.get_text(), cursor, anchor)
        except OutOfText:
            # Text and caret of different moments: the right ones follow.
            return
        except InvalidArgument:
            # A longer text than is read: what follows it is no change of what was seen before it.
            self._forget()
            return
        if news is None:
            return
        transition = self._session.post(news, composition=(0, 0) if self.composing else None)
        self._session_begun = True
        if transition is not None and transition.kind not in ("unchanged", "expected", "windowShift"):
            self.on_transition(transition)

    def _note_content_type(self, purpose: int, hints: int) -> None:
        self._is_secure = purpose in _SECRET_PURPOSES or bool(hints & _SECRET_HINTS)
        if self._is_secure:
            self._forget()

    def _note_key(self, keyval: int, keycode: int, state: int) -> bool:
        if not state & IBus.ModifierType.RELEASE_MASK:
            self._gets_keys = True
        return False

    # ---- A session is one field.

    _session_begun = False
    # Whether the field's keys come to the engine, as far as it is known.
    _gets_keys = True

    def _forget(self) -> None:
        self._session.forget()
        self._session_begun = False

