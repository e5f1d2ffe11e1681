"""libcontextdiff, opened by cffi, and what every module makes of its errors."""

from __future__ import annotations

import importlib.resources
import os
from typing import Any

import cffi

ffi: Any = cffi.FFI()
ffi.cdef(importlib.resources.files(__package__).joinpath("contextdiff.cdef").read_text())

# The soname, so that a later library that calls differently is never taken for this one.
_name = os.environ.get("CONTEXTDIFF_LIBRARY") or "libcontextdiff.so.1"
try:
    lib: Any = ffi.dlopen(_name)
except OSError as missing:
    raise ImportError(
        f"{_name} cannot be opened: it comes with `make install` or the package libcontextdiff1; where the dynamic linker does not look, CONTEXTDIFF_LIBRARY names it"
    ) from missing

try:
    _number: int = lib.contextdiff_version()
except AttributeError as missing:
    raise ImportError(f"{_name} is no libcontextdiff: {missing}") from missing
library_version = f"{_number >> 16}.{_number >> 8 & 255}.{_number & 255}"
try:
    # A function is looked up by its first use, which in an engine may be long after its start.
    for _function in dir(lib):
        getattr(lib, _function)
except AttributeError as missing:
    # It names the library's path.
    raise ImportError(f"libcontextdiff {library_version} is older than this package: {missing}") from missing


class Error(Exception):
    """Why a call could not be done. Its text names the argument and the limit, and never what anybody typed."""

    status: int


class InvalidArgument(Error, ValueError):
    """A value that there isn't, or text that is not UTF-8 or too long."""


class NoBaseline(Error):
    """An edit was announced, and nothing says where it begins: no snapshot was posted yet."""


class NoSuchExpectation(Error, LookupError):
    """No announced edit of that number waits."""


class OutOfText(Error, ValueError):
    """The caret lies beyond the text: the two are of different moments, or of different fields."""


class NotConnected(Error, ConnectionError):
    """Nobody answers at the daemon's socket, or any more: what was sent may have been done."""


class TimedOut(Error, TimeoutError):
    """The deadline passed: what happened is not known."""


class Refused(Error):
    """The daemon answered with another error."""

    name: str
    """The error's in Varlink, such as io.contextdiff.TooManySubscribers; io.contextdiff(7) has all."""


class NoSuchSession(Refused, LookupError):
    """The daemon has no session of that name: io.contextdiff.NoSuchSession."""


class NoDescriptors(Error, OSError):
    """The process may open no more files, of which a client needs some."""

    status = lib.CONTEXTDIFF_NO_MEMORY


class Cancelled(Error):
    """The client was closed before the answer came."""


class TooManyCalls(Error):
    """As many calls wait for their answers as may."""


_errors: dict[int, type[Error]] = {
    lib.CONTEXTDIFF_INVALID_ARGUMENT: InvalidArgument,
    lib.CONTEXTDIFF_INVALID_TEXT: InvalidArgument,
    lib.CONTEXTDIFF_TOO_LARGE: InvalidArgument,
    lib.CONTEXTDIFF_NO_BASELINE: NoBaseline,
    lib.CONTEXTDIFF_NO_SUCH_EXPECTATION: NoSuchExpectation,
    lib.CONTEXTDIFF_OUT_OF_TEXT: OutOfText,
    lib.CONTEXTDIFF_NOT_CONNECTED: NotConnected,
    lib.CONTEXTDIFF_TIMED_OUT: TimedOut,
    lib.CONTEXTDIFF_REFUSED: Refused,
    lib.CONTEXTDIFF_CANCELLED: Cancelled,
    lib.CONTEXTDIFF_TOO_MANY_CALLS: TooManyCalls,
}


# What C's arguments are called here, but for `to`.
_arguments = {"text:": "value:", "from.": "old.", "options.": "", "subscription.session_count": "sessions", "subscription.": ""}


def last_error() -> str:
    """What the library says of the call that failed last in this thread."""
    # What a daemon calls its error may be cut within a character.
    text: str = ffi.string(lib.contextdiff_last_error()).decode(errors="replace")
    return text


def error(status: int, to: str = "new") -> Error:
    """The exception for a negative code that a call has just returned in this thread; `to` is what the caller calls C's argument."""
    text = last_error()
    kind = _errors.get(status, Error)
    # The daemon's name for the error, and behind a colon what the daemon says of it, if anything.
    name = text.partition(": ")[0]
    if kind is Refused and name == "io.contextdiff.NoSuchSession":
        kind = NoSuchSession
    for argument, called in {**_arguments, "to.": f"{to}."}.items():
        if text.startswith(argument):
            text = called + text.removeprefix(argument)
            break
    made = kind(text)
    made.status = status
    if isinstance(made, Refused):
        made.name = name
    return made


def invalid(text: str) -> InvalidArgument:
    """The exception for an argument that the library need not be asked about."""
    made = InvalidArgument(text)
    made.status = lib.CONTEXTDIFF_INVALID_ARGUMENT
    return made


def check(status: int, to: str = "new") -> int:
    """The value of a call that went well; raises else."""
    if status < 0:
        raise error(status, to)
    return status


def check_pointer(pointer: Any) -> Any:
    """The object that a call made; raises where it is NULL."""
    if pointer == ffi.NULL:
        raise error(lib.CONTEXTDIFF_INVALID_ARGUMENT)
    return pointer
