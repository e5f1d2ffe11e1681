"""Snapshots from what hosts hand over."""

from __future__ import annotations

import threading
from typing import Any

from ._library import check, check_pointer, ffi, lib
from ._values import FrontEnd, Key, News, Toolkit, news_from_c, number, text


def toolkit_of(client: str | None = None, program: str | None = None) -> Toolkit | None:
    """The toolkit by the client that IBus's focus_in_id tells, and by the program's name; None where neither is known."""
    keep: list[Any] = []
    found: Toolkit | None = Toolkit.of(lib.contextdiff_toolkit_of(text(client, keep, "client"), text(program, keep, "program")))
    return found


def key_class(keysym: int, modifiers: int) -> Key | None:
    """The class of a key by its X11 keysym (IBus's keyval) and the modifiers held; None for keys of no class."""
    found: Key | None = Key.of(lib.contextdiff_key_class(_bits(keysym, "keysym"), _bits(modifiers, "modifiers")))
    return found


def _bits(value: int, name: str) -> int:
    # Some bindings give an unsigned number of C as a signed one.
    return number(value, name, least=-(1 << 31), most=(1 << 32) - 1) & 0xFFFFFFFF


class Field:
    """What one input context tells, as it comes, put right where its toolkit is known to tell it wrong."""

    def __init__(self, front_end: FrontEnd | str, toolkit: Toolkit | str | None = None) -> None:
        made = lib.contextdiff_field_new(
            FrontEnd.number_of(front_end, "front_end", optional=False), Toolkit.number_of(toolkit, "toolkit"))
        self._pointer = ffi.gc(check_pointer(made), lib.contextdiff_field_free)
        # As a session's.
        self._lock = threading.Lock()
        self._toolkit = None if toolkit is None else Toolkit(toolkit)

    @property
    def toolkit(self) -> Toolkit | None:
        """Who shows the text. To be set with `focus_in` where the focus went to another program."""
        return self._toolkit

    @toolkit.setter
    def toolkit(self, toolkit: Toolkit | str | None) -> None:
        with self._lock:
            check(lib.contextdiff_field_set_toolkit(self._pointer, Toolkit.number_of(toolkit, "toolkit")))
        self._toolkit = None if toolkit is None else Toolkit(toolkit)

    def focus_in(self) -> None:
        """The focus came, perhaps to another field: the text of the field before, which IBus tells once more, is not taken for this one's."""
        with self._lock:
            check(lib.contextdiff_field_focus_in(self._pointer))

    def commit(self, value: str) -> None:
        """The input method puts a text into the field, before the host tells it: Firefox shows where that leads the caret before the text."""
        keep: list[Any] = []
        with self._lock:
            check(lib.contextdiff_field_commit(self._pointer, text(value, keep, "value", optional=False)))

    def reset(self) -> None:
        """The host reset its input method."""
        with self._lock:
            check(lib.contextdiff_field_reset(self._pointer))

    def key(self, keysym: int, modifiers: int) -> None:
        """A key press goes to the host: not one that the input method takes itself, and no release."""
        with self._lock:
            check(lib.contextdiff_field_key(self._pointer, _bits(keysym, "keysym"), _bits(modifiers, "modifiers")))

    def surrounding_text(self, value: str, cursor: int, anchor: int) -> News | None:
        """The host told its text, with the two ends of the selection as they came.

        None where it is the same again, or the text of the field before; OutOfText where the caret is beyond it.
        """
        keep: list[Any] = []
        seen = ffi.new("contextdiff_observation *")
        seen.size = ffi.sizeof("contextdiff_observation")
        ends = number(cursor, "cursor"), number(anchor, "anchor")
        with self._lock:
            told = lib.contextdiff_field_surrounding_text(self._pointer, text(value, keep, "value", optional=False), *ends, seen)
            return news_from_c(seen) if check(told) else None
