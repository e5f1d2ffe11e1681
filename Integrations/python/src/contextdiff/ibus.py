"""What happened in the host's field, for engines of IBus.

    class Engine(contextdiff.ibus.Reading, IBus.Engine):      # 1
        def on_transition(self, transition): ...              # 2: what the person did besides this engine
        ...
        self.composing = bool(self.letters)                   # 3: wherever the preedit changes
"""

from __future__ import annotations

from typing import Any

import gi

gi.require_version("IBus", "1.0")
from gi.repository import IBus  # noqa: E402

from ._field import Field, toolkit_of  # noqa: E402
from ._library import InvalidArgument, NoSuchExpectation, OutOfText  # noqa: E402
from ._session import Session  # noqa: E402
from ._values import Edit, FrontEnd, Snapshot, Toolkit, Transition, Unit  # noqa: E402


_SECRET_PURPOSES = (IBus.InputPurpose.PASSWORD, IBus.InputPurpose.PIN)
# Older versions of IBus don't have both.
_SECRET_HINTS = int(getattr(IBus.InputHints, "PRIVATE", 0)) | int(getattr(IBus.InputHints, "HIDDEN_TEXT", 0))


class Reading:
    """To be named before IBus.Engine among a class's bases.

    It watches the host's surrounding text, tells this engine's own commits from what else happens, and calls
    `on_transition` for the rest. In password fields, and in those that their program calls private, nothing is looked at.

    It hears IBus's signals, so the engine overrides any do_ method, with or without super()'s; of do_focus_in and do_focus_in_id, and
    of the two for its going, one or both. A key for which do_process_key_event returns False goes to the host, and is noted; so is one
    that is given to it by `forward_key_event`. What comes without a key is taken for a pointer's or a menu's doing.

    Where the focus comes, the first text that IBus tells only says where things stand. Of a text that it has told of the same input
    context it tells nothing again: where the focus comes back to a field of GTK's, what that showed last stands for it.

    An engine is made by calling its class, in a factory's do_create_engine: of one that IBus.Factory itself makes of a type that
    add_engine was given, IBus does not say whose input context it is, and `toolkit` is not known.
    """

    composing: bool | tuple[int, int] = False
    """What the engine composes, by which it is told whether a transition leaves it; the engine sets it.

    True for a preedit, which is no part of the host's text; for letters composed in that text how many of it are left and right of the
    caret, in characters.
    """

    client = ""
    """The input context's client as IBus tells it ("gtk3-im:mousepad"); "" where IBus doesn't."""

    snapshot: Snapshot | None = None
    """The text around the caret as the host told it last, what it selects included, by the toolkit's own way of counting; else None."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        bases = cls.__mro__
        if IBus.Engine in bases and bases.index(IBus.Engine) < bases.index(Reading):
            raise TypeError(f"{cls.__name__}: contextdiff.ibus.Reading is to be named before IBus.Engine")

    def __init__(self, **properties: Any) -> None:
        # Else IBus does not say whose input context it is; before 1.5.27 it never does.
        names_clients = IBus.Engine.find_property("has-focus-id")
        if names_clients:
            properties.setdefault("has_focus_id", True)
        super().__init__(**properties)
        self._field = Field(FrontEnd.IBUS)
        self._session = Session()
        self._is_secure = False
        # Before the engine's own methods, which may act on them, or after, so that what the engine does is known.
        before = {"enable": "ask", "focus-in": "come", "reset": "note_reset", "set-content-type": "note_content_type", "process-key-event": "note_key"}
        after = {"focus-out": "go", "set-surrounding-text": "read", "process-key-event": "note_left_key"}
        if names_clients:
            before["focus-in-id"] = "come_to"
            after["focus-out-id"] = "go"
        for signal, name in before.items():
            self.connect(signal, getattr(Reading, f"_{name}"))  # type: ignore[attr-defined]
        for signal, name in after.items():
            self.connect_after(signal, getattr(Reading, f"_{name}"))  # type: ignore[attr-defined]
        # IBus calls those that name clients alone: an engine that overrides only the others is called by them.
        for direction in ("in", "out") if names_clients else ():
            if self._overrides(f"do_focus_{direction}") and not self._overrides(f"do_focus_{direction}_id"):
                self.connect(f"focus-{direction}-id", getattr(Reading, f"_call_focus_{direction}"))  # type: ignore[attr-defined]

    # ---- For the engine.

    def on_transition(self, transition: Transition) -> None:
        """What happened in the field, this engine's own commits left out. For the engine to override.

        What is composed has surely been left where `leaves_composition` is True, the kind `is_move`, and the transition certain: while
        letters come fast, Firefox shows for a moment a text that lacks some, which reads as an edit around the composition, or as a move
        that is only likely.
        """

    def on_unfulfilled(self, numbers: tuple[int, ...]) -> None:
        """Edits of this engine's that the host has not made, nor will, by the numbers that `expect` and the calls below returned.

        A host that says that it has surrounding text, and deletes none of it, is known by this. For the engine to override.
        """

    @property
    def toolkit(self) -> Toolkit | None:
        """Who shows the text; None where that is not known."""
        return self._field.toolkit

    @property
    def host_commits_preedit(self) -> bool:
        """Whether the host puts a preedit that a click leaves into the text by itself, in IBus's COMMIT mode.

        Qt does in any mode; GTK 3 and Firefox do in that one; GTK 4 drops it, so that the engine is to commit. Where the focus goes,
        each of them puts it into the field that it leaves: what an engine commits in do_focus_out may come into the next field, be it
        a password's. Where the toolkit is not known, as for the first field after the engine has started, it is said to do so for that.
        As seen on Debian 12 with IBus 1.5.27.
        """
        return self.toolkit is not Toolkit.GTK4

    @property
    def preedit_focus_mode(self) -> Any:
        """What to update a preedit with: COMMIT, but for Qt, which would then commit it twice."""
        if self.toolkit is Toolkit.QT:
            return IBus.PreeditFocusMode.CLEAR
        return IBus.PreeditFocusMode.COMMIT

    def expect(self, edit: Edit) -> int | None:
        """Announces an edit that comes about otherwise than by commit_text and delete_surrounding_text.

        Its number in the field; None where nothing was seen of the field yet, so that nothing waits for it.
        """
        return self._session.expect(edit) if self._session_begun else None

    def withdraw(self, number: int) -> None:
        """Takes back what was announced, as an edit that the engine has not made after all; one that waits no longer is passed over."""
        try:
            self._session.withdraw(number)
        except NoSuchExpectation:
            pass

    # ---- What the engine does.

    def commit_text(self, text: Any) -> int | None:
        """Puts an IBus.Text into the field, as IBus.Engine does; announced, so that on_transition is not called for it.

        Its number, as of `expect`.
        """
        number = self._announce(Edit(insert=text.get_text())) if text.get_text() else None
        super().commit_text(text)  # type: ignore[misc]
        return number

    def delete_surrounding_text(self, offset: int, nchars: int) -> int | None:
        """Takes text away, as IBus.Engine does: nchars characters from offset on, counted from the caret.

        Announced likewise where the stretch touches the caret; its number, as of `expect`.
        """
        # A stretch that touches the caret; another one is the host's to show.
        before, after = -offset, offset + nchars
        number = None
        if before >= 0 and after >= 0 and nchars > 0:
            unit = Unit.UTF16 if self.toolkit is Toolkit.QT else Unit.SCALARS
            number = self._announce(Edit(delete_backward=before, delete_forward=after, unit=unit))
        super().delete_surrounding_text(offset, nchars)  # type: ignore[misc]
        return number

    def forward_key_event(self, keyval: int, keycode: int, state: int) -> None:
        """Gives a key to the host, as IBus.Engine does; noted as one that the engine leaves."""
        self._note_left_key(keyval, keycode, state)
        super().forward_key_event(keyval, keycode, state)  # type: ignore[misc]

    def _announce(self, edit: Edit) -> int | None:
        """Announces what the engine does in any case: an edit longer than is read is the host's to show."""
        try:
            if edit.insert:
                self._field.commit(edit.insert)
            return self.expect(edit)
        except InvalidArgument:
            return None

    # ---- What IBus tells, before the engine's own methods hear of it.

    def _ask(self) -> None:
        # IBus asks that input context alone which has the engine at the moment, and tells an engine once that it was switched on.
        self.get_surrounding_text()  # type: ignore[attr-defined]

    def _come_to(self, object_path: str, client: str) -> None:
        left = self._left
        self.client, self._object_path = client, object_path
        self._field.toolkit = toolkit_of(client)
        self._come()
        # Others have one input context for all fields of a window.
        if left is not None and left[:2] == (client, object_path) and self.toolkit in (Toolkit.GTK3, Toolkit.GTK4):
            self._session.post(left[2])
            self._session_begun = True

    def _come(self) -> None:
        self._ask()
        self._field.focus_in()
        self._forget()
        # What the field is for stays as it was told last: IBus tells it to an engine after the focus, and only where it is another.
        self._gets_keys = True

    def _note_reset(self) -> None:
        self._field.reset()
        # Of a password field Qt tells the text and no more: no focus, no purpose, but no keys either. What the engine announces
        # meanwhile is no key: an engine that ends its composition when it is reset does so just here.
        if self.toolkit is Toolkit.QT:
            self._gets_keys = False
            self._forget()

    def _note_content_type(self, purpose: int, hints: int) -> None:
        self._is_secure = purpose in _SECRET_PURPOSES or bool(hints & _SECRET_HINTS)
        if self._is_secure:
            self._forget()

    def _note_key(self, keyval: int, keycode: int, state: int) -> bool:
        if not state & IBus.ModifierType.RELEASE_MASK:
            self._gets_keys = True
        return False

    def _call_focus_in(self, *_: Any) -> None:
        self.do_focus_in()  # type: ignore[attr-defined]

    def _call_focus_out(self, *_: Any) -> None:
        self.do_focus_out()  # type: ignore[attr-defined]

    @classmethod
    def _overrides(cls, method: str) -> bool:
        """Whether a class before IBus.Engine has it."""
        bases = cls.__mro__
        return any(method in vars(base) for base in bases[:bases.index(IBus.Engine)])

    # ---- The same, after they have.

    def _note_left_key(self, keyval: int, keycode: int, state: int) -> bool:
        # IBus calls nobody any more once a method has taken the key.
        if not state & IBus.ModifierType.RELEASE_MASK:
            self._field.key(keyval, state)
        return False

    def _go(self, *_: Any) -> None:
        left = self.snapshot
        self._forget()
        self._left = None if left is None else (self.client, self._object_path, left)

    def _read(self, text: Any, cursor: int, anchor: int) -> None:
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
        self.snapshot = news.snapshot
        composing = self.composing
        transition = self._session.post(news, composition=(0, 0) if composing is True else composing or None)
        self._session_begun = True
        if transition is None:
            return
        if transition.unfulfilled:
            self.on_unfulfilled(transition.unfulfilled)
        if transition.kind not in ("unchanged", "expected", "windowShift"):
            self.on_transition(transition)

    # ---- A session is one field.

    _session_begun = False
    # Whether the field's keys come to the engine, as far as it is known.
    _gets_keys = True
    # The input context that has the focus, or had it last.
    _object_path = ""
    # What the field showed that lost the focus last: its client, its input context, and the snapshot.
    _left: tuple[str, str, Snapshot] | None = None

    def _forget(self) -> None:
        self._session.forget()
        self._session_begun = False
        self.snapshot = self._left = None
