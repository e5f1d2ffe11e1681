"""What may be known of a change besides the two snapshots."""

from __future__ import annotations

from typing import TypedDict

from ._values import Cause, Key, Snapshot, Window


class Evidence(TypedDict, total=False):
    """Each to be left out, or None, where it is not known. A cause, a window and a key may be told by their names, too: "line"."""

    old: Snapshot | None
    """The snapshot before the change; else the one that the session was posted last."""
    pasteboard: str | None
    """The pasteboard's text now; "" is known to be empty."""
    composition: tuple[int, int] | None
    """How much of the old snapshot's text is being composed left and right of the caret, in code points; (0, 0) where
    there is a preedit that the host does not show as text. Left out, nothing is composed, and `leaves_composition` is None."""
    cause: Cause | str | None
    window: Window | str | None
    key: Key | str | None
    merged: bool | None
    """Whether several acts may lie in it."""
    reset: bool | None
    """Whether the host reset its input method, so that nobody just typed."""
