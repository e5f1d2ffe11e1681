"""The daemon's client for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import warnings
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Any, Unpack

from . import client
from ._evidence import Evidence
from ._library import Error, NoSuchSession, invalid
from ._values import Edit, News, Snapshot
from .client import Message, Reply


class _Backlog:
    """What a stream has not given yet. Where that is too much, further events are counted instead, and told as lost."""

    MOST = 16_384

    def __init__(self) -> None:
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._lost: client.Lost | None = None

    def put(self, message: Message | None) -> None:
        if isinstance(message, client.Event) and (self._lost is not None or self._messages.qsize() >= self.MOST):
            count = 1 + (self._lost.count or 0 if self._lost else 0)
            self._lost = client.Lost(count, message.sequence, message.instance)
            return
        if self._lost is not None:
            self._messages.put_nowait(self._lost)
            self._lost = None
        self._messages.put_nowait(message)

    async def get(self) -> Message | None:
        message = await self._messages.get()
        if self._lost is not None and self._messages.empty():
            # Into the queue, where another task may wait for it.
            self._messages.put_nowait(self._lost)
            self._lost = None
        return message


def _settle(future: asyncio.Future[Reply], result: Reply | Error) -> None:
    if future.done():
        return
    if isinstance(result, Error):
        future.set_exception(result)
    else:
        future.set_result(result)


def _end(loop: asyncio.AbstractEventLoop, left: client.Client) -> None:
    loop.remove_reader(left.fileno())
    left.close()


class Client:
    """contextdiffd, asked from tasks of the running loop. A call raises the Error that there is instead of a reply.

    socket: the daemon's; None for the one that $CONTEXTDIFF_SOCKET names, else this user's own below $XDG_RUNTIME_DIR, else the
    machine's below /run; a variable that is empty counts as unset. deadline: after how many seconds a call raises TimedOut,
    1,000,000 at most; 0 stands for 0.1. calls: how many may wait for their answer (1,024); one more raises TooManyCalls. A call
    raises what contextdiff.client.Client says of its own calls and of their answers. It belongs to the loop's thread, as that one
    does to the thread that made it; others have loop.call_soon_threadsafe and asyncio.run_coroutine_threadsafe.
    """

    def __init__(self, socket: str | None = None, *, deadline: float = 0.1, calls: int | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._client = client.Client(socket, deadline=deadline, calls=calls)
        self._backlog: _Backlog | None = None
        self._is_closed = False
        self._loop.add_reader(self._client.fileno(), self._client.process)

    def close(self) -> None:
        """Ends the client, and its stream of events; who still waits for an answer gets Cancelled."""
        if self._is_closed:
            return
        if self._client.is_copy:
            # What the loop waits by is the parent's.
            self._is_closed = True
            self._client.close()
            return
        # Raises where it is another thread's, before anything is done.
        self._client.fileno()
        self._is_closed = True
        _end(self._loop, self._client)
        if self._backlog is not None:
            self._backlog.put(None)

    def __del__(self) -> None:
        # Left with nobody to close it, in whichever thread Python collects it: the loop still has what it waits by.
        if getattr(self, "_is_closed", True) or self._client.is_copy:
            return
        warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self)
        with contextlib.suppress(RuntimeError):  # The loop is closed, and waits for nothing.
            self._loop.call_soon_threadsafe(_end, self._loop, self._client)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _check_loop(self) -> None:
        if asyncio.get_running_loop() is not self._loop:
            raise invalid("client: another loop's; only the one that made it may use it")

    async def _call(self, call: Callable[..., None], *arguments: Any, **named: Any) -> Reply:
        self._check_loop()
        future: asyncio.Future[Reply] = self._loop.create_future()
        call(*arguments, functools.partial(_settle, future), **named)
        try:
            return await future
        finally:
            # An error that it holds has this frame in its traceback, and so what was posted: a cycle.
            del future

    async def post(
        self, session: str, new: Snapshot | News, *, secure: bool = False, **evidence: Unpack[Evidence]
    ) -> Reply:
        """Posts to a session of that name. secure: a password field, kept nowhere and reported to nobody."""
        return await self._call(self._client.post, session, new, secure=secure, **evidence)

    async def expect(self, session: str, edit: Edit | Snapshot, *, old: Snapshot | None = None) -> int:
        """Announces an edit, or the snapshot that it leads to, as client.Client does; returns its number in the session."""
        return (await self._call(self._client.expect, session, edit, old=old)).number

    async def withdraw(self, session: str, expected: int) -> None:
        """Takes back an announced edit."""
        await self._call(self._client.withdraw, session, expected)

    async def forget(self, session: str) -> None:
        """Ends a session. Where the daemon has none of that name, there is none to end."""
        with contextlib.suppress(NoSuchSession):
            await self._call(self._client.forget, session)

    def events(
        self, *, sessions: Iterable[str] | None = None, since: int | None = None, instance: str | None = None
    ) -> AsyncGenerator[Message, None]:
        """What the daemon reports, over its restarts too, until the client is closed. A client has one stream: another ends it.

        It is subscribed with this call, read or not: what is posted after Ready comes, what is posted before may be missed.
        sessions: those to hear of, one too as a list; None for all of this user's. since: the sequence number seen last, of the
        run of the daemon that Ready and each event name as their `instance`: what is still kept after it comes first, and Lost says
        what is not; None for what comes from now on. Who takes events more slowly than they come hears, past 16,384 that wait, how
        many were lost. Where the subscription ends, reading it raises why, as client.Ended has it: Refused by the daemon. Waiting for
        a message may be cancelled, as asyncio.wait_for(anext(stream), 1) does when the time is over: none is lost, and the stream goes on.
        The subscription ends with `aclose()`, or when nothing refers to the stream any more.
        """
        backlog = _Backlog()
        self._client.subscribe(backlog.put, sessions=sessions, since=since, instance=instance)
        if self._backlog is not None:
            self._backlog.put(None)
        self._backlog = backlog
        return _Stream(self, backlog)

    def _leave(self, backlog: _Backlog) -> None:
        # A stream that was left may go after the next one has begun: the subscription is that one's then.
        if self._backlog is backlog:
            self._client.unsubscribe()
            self._backlog = None


class _Stream(AsyncGenerator[Message, None]):
    """What a client hears, for `async for`. No generator: that would end where a task that waits for the next message is cancelled."""

    def __init__(self, owner: Client, backlog: _Backlog) -> None:
        self._owner, self._backlog, self._is_over = owner, backlog, False

    async def asend(self, value: None) -> Message:
        self._owner._check_loop()
        if self._is_over:
            raise StopAsyncIteration
        message = await self._backlog.get()
        if message is None or self._is_over:
            self._end()
            raise StopAsyncIteration
        if isinstance(message, client.Ended):
            self._end()
            raise message.error
        return message

    async def athrow(self, *raised: Any) -> Message:
        self._end()
        return await super().athrow(*raised)

    def _end(self) -> None:
        # In a child of fork the subscription, and who waits, are the parent's.
        if not self._owner._client.is_copy:
            # Where it is not the loop's, this raises before anything is done.
            self._owner._check_loop()
            self._owner._leave(self._backlog)
            # Wakes the next task that waits, which ends in the same way.
            self._backlog.put(None)
        self._is_over = True

    def __del__(self) -> None:
        # Left with nobody to close it, in whichever thread Python collects it.
        if not self._is_over and not self._owner._client.is_copy:
            with contextlib.suppress(RuntimeError):  # The loop is closed, and with it all that it waits for.
                self._owner._loop.call_soon_threadsafe(self._owner._leave, self._backlog)
