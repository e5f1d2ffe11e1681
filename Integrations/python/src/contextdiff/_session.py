"""Sessions in this process."""

from __future__ import annotations

import threading
from typing import Any, Unpack

from ._evidence import Evidence
from ._library import check, check_pointer, ffi, invalid, lib
from ._values import Edit, News, Snapshot, Transition, announcement_to_c, number, observation_to_c, snapshot_to_c, text, transition_from_c


class Session:
    """One document's consecutive snapshots: what they prove of its text, its history, and the announced edits.

    memory: how much text it may remember, in bytes, 1 or more (65,536); terminators: the characters that end a sentence.
    Any call raises InvalidArgument for a value that cannot be; `expect` NoBaseline too, `withdraw` NoSuchExpectation.
    """

    def __init__(self, *, memory: int | None = None, terminators: str | None = None) -> None:
        keep: list[Any] = []
        options = ffi.new("contextdiff_session_options *")
        options.size = ffi.sizeof("contextdiff_session_options")
        options.memory = 0 if memory is None else number(memory, "memory", least=1)
        options.terminators = text(terminators, keep, "terminators")
        self._pointer = ffi.gc(check_pointer(lib.contextdiff_session_new(options)), lib.contextdiff_session_free)
        # Python lets other threads run meanwhile, and the library has an object used by one at a time.
        self._lock = threading.Lock()

    def post(self, new: Snapshot | News, **evidence: Unpack[Evidence]) -> Transition | None:
        """Reads the change to `new` and remembers it; None where the post only set the baseline.

        A key `shortcut` may be an undo, a redo, a cut or a paste until the session was posted one of these by its name, or a
        `Field`'s news with a key, which names them all.
        """
        return self._read(lib.contextdiff_session_post, new, evidence)

    def preview(self, new: Snapshot | News, **evidence: Unpack[Evidence]) -> Transition | None:
        """Reads the change as `post` would, and remembers nothing."""
        return self._read(lib.contextdiff_session_preview, new, evidence)

    def classify(self, old: Snapshot, new: Snapshot | News, /, **evidence: Unpack[Evidence]) -> Transition:
        """Reads one pair for itself: what the session remembers is neither looked at nor changed."""
        if evidence.get("old") is not None:
            raise invalid("old: given twice")
        evidence["old"] = old
        done = self._read(lib.contextdiff_session_classify, new, evidence)
        assert done is not None
        return done

    def _read(self, function: Any, new: Snapshot | News, evidence: Evidence) -> Transition | None:
        keep: list[Any] = []
        place = ffi.new("contextdiff_transition **")
        observation = observation_to_c(new, keep, **evidence)
        with self._lock:
            check(function(self._pointer, observation, place))
            return transition_from_c(place[0])

    def expect(self, edit: Edit | Snapshot, *, old: Snapshot | None = None) -> int:
        """Announces an edit that the input method is about to make, or the snapshot that it leads to.

        Returns its number in the session. A later post that shows it comes out as expected. Where it is announced with `old` before
        the first post, give that post `old` too: without it the post only sets the baseline, and an edit that it shows is never named.
        """
        keep: list[Any] = []
        start = ffi.NULL if old is None else snapshot_to_c(old, keep, "old")
        announce, announced = announcement_to_c(
            edit, keep, lib.contextdiff_session_expect, lib.contextdiff_session_expect_snapshot)
        with self._lock:
            return check(announce(self._pointer, start, announced), to="edit")

    def withdraw(self, expected: int) -> None:
        """Takes back an announced edit, and those announced on top of it, as far as they still wait."""
        with self._lock:
            check(lib.contextdiff_session_withdraw(self._pointer, number(expected, "expected")))

    def forget(self) -> None:
        """Forgets all; the next post sets a new baseline. For another field."""
        with self._lock:
            check(lib.contextdiff_session_forget(self._pointer))


def classify(old: Snapshot, new: Snapshot | News, /, **evidence: Unpack[Evidence]) -> Transition:
    """What happened between two snapshots, from these alone."""
    return Session().classify(old, new, **evidence)


