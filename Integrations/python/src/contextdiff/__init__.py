"""What happened between two snapshots of the text around a caret.

    session = contextdiff.Session()
    session.post(contextdiff.Snapshot(before="今日"))
    print(session.post(contextdiff.Snapshot(before="今日は")).kind)  # insertion

In process over libcontextdiff: Session, Field (what hosts hand over), classify. Over contextdiffd: contextdiff.client,
and in an event loop contextdiff.aio and contextdiff.glib. In an engine of IBus's: contextdiff.ibus.
"""

from ._evidence import Evidence
from ._field import Field, key_class, toolkit_of
from ._library import (
    Cancelled,
    Error,
    InvalidArgument,
    NoBaseline,
    NoDescriptors,
    NoSuchExpectation,
    NoSuchSession,
    NotConnected,
    OutOfText,
    Refused,
    TimedOut,
    TooManyCalls,
    library_version,
)
from ._session import Session, classify
from ._values import Cause, Edit, Extent, FrontEnd, Key, Kind, News, Snapshot, Toolkit, Transition, Unit, Window

# The package's, which pyproject.toml reads here; library_version is that of the library it runs with.
__version__ = "0.2.0"

__all__ = [
    "Cancelled",
    "Cause",
    "Edit",
    "Error",
    "Evidence",
    "Extent",
    "Field",
    "FrontEnd",
    "InvalidArgument",
    "Key",
    "Kind",
    "News",
    "NoBaseline",
    "NoDescriptors",
    "NoSuchExpectation",
    "NoSuchSession",
    "NotConnected",
    "OutOfText",
    "Refused",
    "Session",
    "Snapshot",
    "TimedOut",
    "Toolkit",
    "TooManyCalls",
    "Transition",
    "Unit",
    "Window",
    "classify",
    "key_class",
    "library_version",
    "toolkit_of",
]
