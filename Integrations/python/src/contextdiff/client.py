"""The daemon's client, for any event loop: contextdiff.aio and contextdiff.glib have it in two of them."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any, Unpack

from ._evidence import Evidence
from ._library import Error, NoDescriptors, check, check_pointer, error, ffi, invalid, last_error, lib
from ._values import (
    Edit, News, Snapshot, Transition, announcement_to_c, number, observation_to_c, snapshot_to_c, string, text, transition_from_c,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Reply:
    """What a call brought."""

    number: int = 0
    """A post's event (0: it only set the baseline, or is secure), or an announced edit's number in its session."""
    transition: Transition | None = None
    """What a post read."""


@dataclasses.dataclass(frozen=True, slots=True)
class Ready:
    """Subscribed: what is posted from now on comes. Comes again after each reconnection."""

    instance: str
    sequence: int
    """Of the latest event there is, not of one that was heard: kept ones that come first have it or lower ones."""


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """A transition of a session."""

    sequence: int
    session: str
    time: int
    """Microseconds since the epoch."""
    transition: Transition
    instance: str


@dataclasses.dataclass(frozen=True, slots=True)
class Lost:
    """Events were lost up to `sequence`; None where their number can't be known."""

    count: int | None
    sequence: int
    instance: str


@dataclasses.dataclass(frozen=True, slots=True)
class Disconnected:
    """Nobody answers now, for the reason in `error`; the client tries again by itself."""

    error: Error


@dataclasses.dataclass(frozen=True, slots=True)
class Ended:
    """The subscription has ended, for the reason in `error`. Nothing more comes.

    Refused where the daemon refused it, InvalidArgument where it is longer than the daemon takes, NotConnected where the answer can't
    be read.
    """

    error: Error


Message = Ready | Event | Lost | Disconnected | Ended
Done = Callable[[Reply | Error], None]


def _message(value: Any) -> Message | None:
    instance = string(value.instance) or ""
    match value.type:
        case lib.CONTEXTDIFF_MESSAGE_READY:
            return Ready(instance, value.sequence)
        case lib.CONTEXTDIFF_MESSAGE_EVENT:
            done = transition_from_c(value.transition)
            assert done is not None
            return Event(value.sequence, string(value.session) or "", value.time, done, instance)
        case lib.CONTEXTDIFF_MESSAGE_LOST:
            return Lost(value.lost if value.lost >= 0 else None, value.sequence, instance)
        case lib.CONTEXTDIFF_MESSAGE_DISCONNECTED:
            return Disconnected(error(value.status))
        case lib.CONTEXTDIFF_MESSAGE_ENDED:
            return Ended(error(value.status))
    return None


def _reply_callback(waiting: dict[int, Done | None]) -> Any:
    """What the library calls with each answer; its `data` is the number by which `waiting` has `done`."""

    @ffi.callback("contextdiff_reply_callback")  # type: ignore[untyped-decorator, unused-ignore]
    def replied(status: int, number: int, transition: Any, data: Any) -> None:
        done = waiting.pop(int(ffi.cast("uintptr_t", data)), None)
        if done is not None:
            done(error(status) if status < 0 else Reply(number, transition_from_c(transition)))

    return replied


@ffi.callback("contextdiff_message_callback")  # type: ignore[untyped-decorator, unused-ignore]
def _heard(value: Any, data: Any) -> None:
    message = _message(value)
    if message is not None:
        ffi.from_handle(data)(message)


class Client:
    """A connection to contextdiffd that never blocks.

    The loop waits until `fileno()` is readable and calls `process()`, for deadlines and reconnecting too. Each call's
    `done` is called once, from `process` or `close`, with a Reply or the Error that there is instead. What a callback raises
    goes to sys.unraisablehook, and `process` goes on.

    socket: the daemon's; None for the one that $CONTEXTDIFF_SOCKET names, else this user's own below $XDG_RUNTIME_DIR, else the
    machine's below /run; a variable that is empty counts as unset. deadline: after how many seconds a call is answered with
    TimedOut, 1,000,000 at most; 0 stands for 0.1. calls: how many may wait for their answer (1,024); one more raises TooManyCalls.

    A client belongs to the thread that made it, the loop's: used by another one it raises InvalidArgument, with the GIL or
    without. Other threads hand to the loop what they have for it: loop.call_soon_threadsafe, GLib.idle_add. In a child of
    os.fork() all but `close` raises InvalidArgument too.

    A call raises InvalidArgument for a value that cannot be, and after `close`, and TooManyCalls. `done` gets NotConnected,
    TimedOut or Cancelled; InvalidArgument for a call that is longer than the daemon's limits.frameBytes; of `withdraw`
    NoSuchExpectation where no such edit waits; NoSuchSession where there is no such session, to a `withdraw`, a `forget`, and an
    `expect` without `old`; and Refused for what else the daemon answers, with its `name` in io.contextdiff(7). Making a client
    raises InvalidArgument for an option that cannot be, and NoDescriptors where the process may open no more files.
    """

    _pointer: Any = ffi.NULL

    def __init__(self, socket: str | None = None, *, deadline: float = 0.1, calls: int | None = None) -> None:
        keep: list[Any] = []
        options = ffi.new("contextdiff_client_options *")
        options.size = ffi.sizeof("contextdiff_client_options")
        options.socket = text(socket, keep, "socket")
        if not isinstance(deadline, (int, float)) or not 0 <= deadline <= 1_000_000:
            raise invalid("deadline: not a number of seconds from 0 to 1,000,000")
        options.deadline = math.ceil(deadline * 1_000_000)
        options.calls = number(calls or 0, "calls", least=0)
        self._waiting: dict[int, Done | None] = {}
        self._tickets = itertools.count(1)
        # It refers to whom it calls, not to the client: one that nobody refers to is to go at once.
        self._replied = _reply_callback(self._waiting)
        self._hearer: Any = None
        self._process, self._thread = os.getpid(), threading.get_ident()
        pointer = lib.contextdiff_client_new(options)
        # NULL has no status: the header says of it in words that no descriptors are left.
        if pointer == ffi.NULL and last_error() == "no file descriptors are left":
            raise NoDescriptors(last_error())
        self._pointer = check_pointer(pointer)

    @property
    def is_copy(self) -> bool:
        """Whether this is a child of os.fork(), and the client its parent's."""
        return self._process != os.getpid()

    def _usable(self) -> Any:
        """The library's client, for the thread that may call it: it locks nothing, and Python lets other threads run meanwhile."""
        if self._pointer == ffi.NULL:
            raise invalid("client: closed")
        if self.is_copy:
            raise invalid("client: the parent's; a child of fork makes its own")
        if self._thread != threading.get_ident():
            raise invalid("client: another thread's; only the one that made it may use it")
        return self._pointer

    def fileno(self) -> int:
        """The descriptor to wait for, the same until `close`."""
        return check(lib.contextdiff_client_fd(self._usable()))

    def process(self) -> int:
        """Does what can be done without waiting; returns how many answers and messages were told. Not from a callback: InvalidArgument."""
        return check(lib.contextdiff_client_process(self._usable()))

    def close(self) -> None:
        """Ends the client; who still waits is told Cancelled. Nothing where it is closed; in a child of os.fork() its copy goes."""
        if self._pointer == ffi.NULL:
            return
        if not self.is_copy:
            self._usable()
        self._free()

    def _free(self) -> None:
        pointer, self._pointer = self._pointer, ffi.NULL
        lib.contextdiff_client_free(pointer)
        self._waiting.clear()

    def __del__(self) -> None:
        # Descriptors and memory of a client that nobody has closed; in whichever thread Python collects it, nobody else has it.
        if self._pointer != ffi.NULL:
            self._waiting.clear()
            self._free()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, done: Done | None, call: Callable[[Any, Any], int], to: str = "new") -> None:
        pointer = self._usable()
        if done is not None and not callable(done):
            raise invalid("done: cannot be called")
        ticket = next(self._tickets)
        self._waiting[ticket] = done
        # What is raised here besides comes from a signal's handler, behind the call: the library may have the ticket.
        status = call(pointer, ffi.cast("void *", ticket))
        if status < 0:
            del self._waiting[ticket]
            raise error(status, to)

    def post(
        self, session: str, new: Snapshot | News, done: Done | None = None, *, secure: bool = False,
        **evidence: Unpack[Evidence],
    ) -> None:
        """Posts to a session of that name. secure: a password field, kept nowhere and reported to nobody."""
        keep: list[Any] = []
        name, observation = text(session, keep, "session"), observation_to_c(new, keep, **evidence)
        self._call(done, lambda pointer, ticket: lib.contextdiff_client_post(
            pointer, name, observation, lib.CONTEXTDIFF_SECURE if secure else 0, self._replied, ticket))

    def expect(
        self, session: str, edit: Edit | Snapshot, done: Done | None = None, *, old: Snapshot | None = None
    ) -> None:
        """Announces an edit that the input method is about to make, or the snapshot that it leads to.

        Where it is announced with `old` before the session's first post, give that post `old` too: without it the post only sets the
        baseline, and an edit that it shows is never named.
        """
        keep: list[Any] = []
        name = text(session, keep, "session")
        start = ffi.NULL if old is None else snapshot_to_c(old, keep, "old")
        announce, announced = announcement_to_c(
            edit, keep, lib.contextdiff_client_expect, lib.contextdiff_client_expect_snapshot)
        self._call(done, lambda pointer, ticket: announce(
            pointer, name, start, announced, self._replied, ticket), to="edit")

    def withdraw(self, session: str, expected: int, done: Done | None = None) -> None:
        """Takes back an announced edit."""
        keep: list[Any] = []
        name, edit = text(session, keep, "session"), number(expected, "expected")
        self._call(done, lambda pointer, ticket: lib.contextdiff_client_withdraw(
            pointer, name, edit, self._replied, ticket))

    def forget(self, session: str, done: Done | None = None) -> None:
        """Ends a session; without `done`, also where the client is closed right after it.

        NoSuchSession says to `done` that there is none to end: nothing was posted under that name, or the daemon has forgotten it.
        """
        keep: list[Any] = []
        name = text(session, keep, "session")
        if done is None:
            check(lib.contextdiff_client_forget(self._usable(), name, ffi.NULL, ffi.NULL))
            return
        self._call(done, lambda pointer, ticket: lib.contextdiff_client_forget(
            pointer, name, self._replied, ticket))

    def subscribe(
        self, hear: Callable[[Message], None] | None, *, sessions: Iterable[str] | None = None,
        since: int | None = None, instance: str | None = None,
    ) -> None:
        """Streams events, over reconnections too, in place of what was heard so far; None to hear of none.

        sessions: those to hear of, one too as a list; None for all of this user's. since: the sequence number seen last, of the
        run of the daemon that Ready and each event name as their `instance`: what is still kept after it comes first, and Lost says
        what is not; None for what comes from now on.
        """
        pointer = self._usable()
        keep: list[Any] = []
        if hear is None:
            check(lib.contextdiff_client_subscribe(pointer, ffi.NULL, ffi.NULL, ffi.NULL))
            self._hearer = None
            return
        if not callable(hear):
            raise invalid("hear: cannot be called")
        wanted = ffi.new("contextdiff_subscription *")
        wanted.size = ffi.sizeof("contextdiff_subscription")
        if isinstance(sessions, str):
            raise invalid("sessions: one name, where a list of names is wanted")
        if sessions is not None:
            if not isinstance(sessions, Iterable):
                raise invalid("sessions: not a list of names")
            names = ffi.new("contextdiff_text[]", [text(name, keep, "sessions") for name in sessions])
            keep.append(names)
            wanted.sessions, wanted.session_count = names, len(names)
        wanted.since = -1 if since is None else number(since, "since", least=0)
        wanted.instance = text(instance, keep, "instance")
        earlier, hearer = self._hearer, (ffi.new_handle(hear), hear)
        # Both, for a signal's handler may raise behind the call: either may be the library's then.
        self._hearer = (earlier, hearer)
        status = lib.contextdiff_client_subscribe(pointer, wanted, _heard, hearer[0])
        self._hearer = earlier if status < 0 else hearer
        check(status)

    def unsubscribe(self) -> None:
        """Hears of no events any more; nothing where the client was closed."""
        if self._pointer != ffi.NULL:
            self.subscribe(None)
